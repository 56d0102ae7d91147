// The webhook shapes that are handled. Every other shape is acknowledged and ignored. If a field that identifies the
// owner is unreadable, the webhook is ignored; the field never falls back to its default.
import { z } from 'zod';
import { isStorableJson } from '../base/storable-json.ts';

const text = z.string().min(1).max(1_000).refine(isStorableJson);

const ids = { connectionId: text, providerConfigKey: text };
const authorized = z.object({
  type: z.literal('auth'),
  operation: z.enum(['creation', 'override']),
  success: z.literal(true),
  ...ids,
  provider: z.unknown().optional(),
  tags: z.unknown().optional(),
  endUser: z.unknown().optional(),
});
const refreshed = z.object({
  type: z.literal('auth'),
  operation: z.literal('refresh'),
  success: z.boolean(),
  ...ids,
});

export interface Authorized {
  readonly shape: 'authorized';
  readonly operation: 'creation' | 'override';
  readonly integrationId: string;
  readonly connectionId: string;
  /** The provider's id of the app. */
  readonly app: string | undefined;
  readonly organizationId: string;
  readonly actorId: string;
  readonly workspaceId: string | undefined;
  readonly connectionName: string | undefined;
}

export type WebhookEvent =
  | Authorized
  /** An authorization without a readable owner or address. */
  | {
      readonly shape: 'unclear';
      readonly reason: 'organization_unknown' | 'actor_unknown' | 'workspace_unknown' | 'name_unreadable';
    }
  /** The provider tried to renew the authorization. It reports a success only after a failure. */
  | {
      readonly shape: 'refreshed';
      readonly succeeded: boolean;
      readonly integrationId: string;
      readonly connectionId: string;
    }
  | { readonly shape: 'other' };

export function parseWebhook(body: unknown): WebhookEvent {
  const renewal = refreshed.safeParse(body);
  if (renewal.success)
    return {
      shape: 'refreshed',
      succeeded: renewal.data.success,
      integrationId: renewal.data.providerConfigKey,
      connectionId: renewal.data.connectionId,
    };
  const parsed = authorized.safeParse(body);
  if (!parsed.success) return { shape: 'other' };
  const { operation, connectionId, providerConfigKey, provider } = parsed.data;
  const [tags, endUser] = [fieldsOf(parsed.data.tags), fieldsOf(parsed.data.endUser)];
  const organizationId = readText(unlessEmpty(tags['organization_id']) ?? endUser['organizationId']);
  const actorId = readText(tags['end_user_id'] ?? endUser['endUserId']);
  const workspaceId = readText(unlessEmpty(tags['workspace_id']));
  const connectionName = readText(unlessEmpty(tags['connection_name']));
  if (!organizationId) return { shape: 'unclear', reason: 'organization_unknown' };
  if (!actorId) return { shape: 'unclear', reason: 'actor_unknown' };
  if (workspaceId === null) return { shape: 'unclear', reason: 'workspace_unknown' };
  if (
    connectionName === null ||
    (connectionName !== undefined && /\p{Cc}/u.test(connectionName.trim().replaceAll(/\s/gu, ' ')))
  )
    return { shape: 'unclear', reason: 'name_unreadable' };
  return {
    shape: 'authorized',
    operation,
    integrationId: providerConfigKey,
    connectionId,
    app: readText(provider) ?? undefined,
    organizationId,
    actorId,
    workspaceId,
    connectionName,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/** Undefined if absent; null if present but not text. */
function readText(value: unknown): string | undefined | null {
  if (value === undefined || value === null) return undefined;
  const parsed = text.safeParse(value);
  return parsed.success ? parsed.data : null;
}
