// The parts of the integration provider's answers that we read. Nothing is trusted: a field of an unexpected shape counts
// as absent, and an entry that cannot be identified is dropped.
import { z } from 'zod';
import { isStorableJson } from '../base/storable-json.ts';

const text = z.string().min(1).max(1_000).refine(isStorableJson);
const absent = z.unknown().transform(() => undefined);
const lenient = <T extends z.ZodType>(schema: T) => z.union([schema, absent]).optional();

const tags = z.record(z.string(), z.unknown()).transform((given): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [key, value] of Object.entries(given).slice(0, 50)) {
    // All tags are dropped: without its name or workspace tag it would be taken for the default connection.
    if (!isStorableJson(value)) return {};
    const parsed = text.safeParse(value);
    if (parsed.success) kept[key.toLowerCase()] = parsed.data;
  }
  return kept;
});

const endUser = z.object({ id: lenient(text), organization: lenient(z.object({ id: lenient(text) })) });
const errors = z.array(z.object({ type: lenient(text) }));

const connection = z.object({
  connection_id: text,
  provider_config_key: text,
  provider: lenient(text),
  tags: lenient(tags),
  end_user: lenient(endUser),
  errors: lenient(errors),
  created: lenient(text),
  created_at: lenient(text),
});

const credentials = z.object({
  type: lenient(text),
  expires_at: lenient(z.union([text, z.number()])),
  refresh_token: lenient(z.string().min(1)),
});
const connectionDetails = connection.extend({
  credentials: lenient(credentials),
  connection_config: lenient(z.record(z.string(), z.unknown())),
  refresh_exhausted: lenient(z.boolean()),
});

/** A connection as the provider lists it. */
export interface ProviderConnection {
  readonly integrationId: string;
  readonly connectionId: string;
  /** The provider's id of the app. */
  readonly app: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly endUserId: string | undefined;
  readonly endUserOrganizationId: string | undefined;
  /** Types of its current errors. */
  readonly errors: readonly string[];
  readonly createdAt: Date | undefined;
}

/** One connection by its id: never its credentials, only what is derived from them. */
export interface ProviderConnectionDetails extends ProviderConnection {
  readonly refreshExhausted: boolean;
  /** When the credential expires, if requested. Undefined for credentials that the provider renews. */
  readonly expiry: Date | undefined;
  /** The Atlassian site, if the provider knows it. */
  readonly cloudId: string | undefined;
}

export function parseConnections(answer: unknown): ProviderConnection[] | undefined {
  const list = z.object({ connections: z.array(z.unknown()) }).safeParse(answer);
  if (!list.success) return undefined;
  return list.data.connections.flatMap((entry) => {
    const parsed = connection.safeParse(entry);
    return parsed.success ? [toConnection(parsed.data)] : [];
  });
}

export function parseConnectionDetails(
  answer: unknown,
  options: { readonly expiry?: true } = {},
): ProviderConnectionDetails | undefined {
  const parsed = connectionDetails.safeParse(answer);
  if (!parsed.success) return undefined;
  const { credentials: held, connection_config: config, refresh_exhausted: exhausted } = parsed.data;
  const cloudId = text.safeParse(config?.['cloudId']);
  return {
    ...toConnection(parsed.data),
    refreshExhausted: exhausted === true,
    // Every other type with an expiry is renewed by the provider.
    expiry:
      options.expiry && held?.type === 'OAUTH2' && held.refresh_token === undefined
        ? toDate(held.expires_at)
        : undefined,
    cloudId: cloudId.success ? cloudId.data : undefined,
  };
}

function toConnection(parsed: z.infer<typeof connection>): ProviderConnection {
  return {
    integrationId: parsed.provider_config_key,
    connectionId: parsed.connection_id,
    app: parsed.provider,
    tags: parsed.tags ?? {},
    endUserId: parsed.end_user?.id,
    endUserOrganizationId: parsed.end_user?.organization?.id,
    errors: (parsed.errors ?? []).map(({ type }) => type ?? 'unknown'),
    createdAt: toDate(parsed.created ?? parsed.created_at),
  };
}

function toDate(value: string | number | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const session = z.object({ data: z.object({ token: text, connect_link: z.string().max(8_000), expires_at: text }) });

export interface ProviderSession {
  readonly token: string;
  readonly connectLink: string;
  readonly expiresAt: string;
}

export function parseSession(answer: unknown): ProviderSession | undefined {
  const parsed = session.safeParse(answer);
  if (!parsed.success) return undefined;
  const { token, connect_link: connectLink, expires_at: expiresAt } = parsed.data.data;
  return Number.isNaN(Date.parse(expiresAt)) || !/^https?:$/.test(URL.parse(connectLink)?.protocol ?? '')
    ? undefined
    : { token, connectLink, expiresAt: new Date(expiresAt).toISOString() };
}

const integration = z.object({ unique_key: text, provider: text });
export type ProviderIntegration = { readonly key: string; readonly provider: string };

export function parseIntegrations(answer: unknown): ProviderIntegration[] | undefined {
  const list = z.object({ data: z.array(z.unknown()) }).safeParse(answer);
  if (!list.success) return undefined;
  return list.data.data.flatMap((entry) => {
    const parsed = integration.safeParse(entry);
    return parsed.success ? [{ key: parsed.data.unique_key, provider: parsed.data.provider }] : [];
  });
}

export type ClientState = 'present' | 'missing' | 'hidden';

const withClient = z.object({
  data: z.object({ credentials: z.object({ client_id: z.string().nullish() }).nullable() }),
});

export function parseClient(answer: unknown): ClientState {
  const parsed = withClient.safeParse(answer);
  if (!parsed.success) return 'hidden';
  return parsed.data.data.credentials?.client_id ? 'present' : 'missing';
}

/** Undefined if it is not JSON. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const errorAnswer = z.object({ error: z.object({ code: z.string().regex(/^[\w.-]{1,64}$/) }) });

/** The code in `{error:{code}}`, if it has the form of one: it is logged and sent to callers. */
export function parseErrorCode(body: Buffer): string | undefined {
  const parsed = errorAnswer.safeParse(parseBody(body));
  return parsed.success ? parsed.data.error.code : undefined;
}
