// The secrets of a deployment in one file, checked before it is uploaded. The file contains NAME=value lines, as
// container and service managers read them, or one flat JSON object.
import { randomBytes, randomUUID } from 'node:crypto';
import { ConfigError, readConfig } from './config.ts';
import { ENVIRONMENT } from './environment.ts';

interface Entry {
  readonly kind: 'key32' | 'uuid' | 'word' | 'name';
  readonly help: string;
  /** The bundle is refused without it. */
  readonly required?: true;
  /** Gets the same value as this other variable. */
  readonly sameAs?: string;
}

/**
 * Has the form of a UUID v4, for a first deployment without a key, but is never a real one. It is flagged until
 * replaced.
 */
export const PLACEHOLDER_UUID = '00000000-0000-4000-8000-000000000000';

/** The variables of a bundle. The last four belong to the integration provider, which reads only its own names. */
export const BUNDLE = {
  AUTH_SECRET: { kind: 'word', help: 'Signs sessions.' },
  SERVICE_CONNECT_JWT_SECRET: { kind: 'word', help: 'Signs connect tokens.' },
  BYOK_ENCRYPTION_KEY_B64: {
    kind: 'key32',
    required: true,
    help: 'Wraps stored provider keys. Changing it makes them undecryptable.',
  },
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: {
    kind: 'key32',
    required: true,
    help: 'Encrypts stored connection references. Changing it makes them undecryptable.',
  },
  SERVICE_INTEGRATIONS_SECRET_KEY: {
    kind: 'uuid',
    help: "The secret key of the provider's prod environment: NANGO_SECRET_KEY_PROD, or one from its UI, Environment Settings, API Keys.",
  },
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: { kind: 'word', help: "Signs the provider's webhook." },
  NANGO_SECRET_KEY_PROD: {
    kind: 'uuid',
    sameAs: 'SERVICE_INTEGRATIONS_SECRET_KEY',
    help: 'The integration provider uses it as the secret key of its prod environment from its first start.',
  },
  NANGO_ENCRYPTION_KEY: { kind: 'key32', help: "Encrypts the provider's own database. It cannot be changed later." },
  NANGO_DASHBOARD_USERNAME: { kind: 'name', help: "Sign-in of the provider's dashboard." },
  NANGO_DASHBOARD_PASSWORD: { kind: 'word', help: "Password of the provider's dashboard." },
} as const satisfies Record<string, Entry>;

export interface BundleCheck {
  /** Whether it may be uploaded: it has no faults, and no placeholders unless they are allowed. */
  readonly ok: boolean;
  readonly faults: readonly string[];
  readonly placeholders: readonly string[];
  readonly notices: readonly string[];
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const FLAGGED = /change[-_ ]?me|placeholder|replace[-_ ]?me|^<.*>$|^todo$|^x{3,}$/i;
const MISTAKES =
  "The likely mistakes: the placeholder was never replaced, or the provider's public key was taken for it.";

export function writeBundle(): string {
  const made: Record<string, string> = {};
  for (const [name, { kind, sameAs }] of Object.entries<Entry>(BUNDLE))
    made[name] = (sameAs === undefined ? undefined : made[sameAs]) ?? make(kind);
  const lines = Object.entries<Entry>(BUNDLE).map(([name, { help }]) => `# ${help}\n${name}=${made[name]}\n`);
  return `# Secrets of one deployment. Keep this file out of version control, and keep a copy where a fire does not reach it.\n# Check it with: servicectl bundle check.\n\n${lines.join('\n')}`;
}

/** The values that a bundle sets, as far as it can be read. */
export function readBundle(text: string): Readonly<Record<string, string>> {
  return parseBundle(text).values;
}

export function checkBundle(text: string, { allowPlaceholders }: { allowPlaceholders: boolean }): BundleCheck {
  const { values, faults } = parseBundle(text);
  const placeholders = Object.keys(values).filter((name) => isPlaceholder(name, values[name] ?? ''));
  const notices: string[] = [];
  for (const [name, { required }] of Object.entries<Entry>(BUNDLE)) {
    if (values[name] !== undefined) continue;
    if (required) faults.push(`${name} is missing.`);
    else notices.push(`${name} is not set: ${BUNDLE[name as keyof typeof BUNDLE].help}`);
  }
  for (const [name, value] of Object.entries(values)) {
    const fault = faultOf(name, value);
    if (fault !== undefined) faults.push(fault);
    if (!(name in BUNDLE) && !(name in ENVIRONMENT) && !name.startsWith('SERVICE_OAUTH_'))
      notices.push(`${name} is not a variable of the service.`);
  }
  const [ours, theirs] = [values['SERVICE_INTEGRATIONS_SECRET_KEY'], values['NANGO_SECRET_KEY_PROD']];
  if (theirs !== undefined && ours !== theirs)
    notices.push(
      'SERVICE_INTEGRATIONS_SECRET_KEY differs from NANGO_SECRET_KEY_PROD, which is only right for a key created in the provider’s UI.',
    );
  return { ok: faults.length === 0 && (allowPlaceholders || placeholders.length === 0), faults, placeholders, notices };
}

function faultOf(name: string, value: string): string | undefined {
  const kind = (BUNDLE as Record<string, Entry>)[name]?.kind ?? (name.endsWith('_KEY_B64') ? 'key32' : undefined);
  if (kind === 'uuid' && !UUID_V4.test(value))
    return `${name} is not a UUID v4. ${MISTAKES} Take the secret key of the prod environment from the provider's Environment Settings, API Keys.`;
  if (kind === 'key32' && !decodesTo32(value))
    return `${name} does not decode to exactly 32 bytes. ${MISTAKES} Make one with: openssl rand -base64 32`;
  if (kind !== undefined) return undefined;
  try {
    readConfig({ [name]: value });
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function isPlaceholder(name: string, value: string): boolean {
  if (value === PLACEHOLDER_UUID || FLAGGED.test(value)) return true;
  if (!name.endsWith('_B64') && name !== 'NANGO_ENCRYPTION_KEY') return false;
  // A key that repeats one byte was typed, not generated.
  return decodesTo32(value) && new Set(Buffer.from(value, 'base64')).size === 1;
}

function decodesTo32(value: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === 32;
}

function parseBundle(text: string): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  const take = (name: string, value: string, where: string): void => {
    if (name in values) faults.push(`${where} sets ${name} again.`);
    // An empty value counts as absent, as it does in the environment.
    if (value !== '') values[name] = value;
  };
  if (text.trimStart().startsWith('{')) {
    for (const [name, value] of Object.entries(parseObject(text, faults))) {
      if (typeof value === 'string') take(name, value.trim(), 'the object');
      else faults.push(`${name} is not text.`);
    }
    return { values, faults };
  }
  text.split(/\r?\n/).forEach((line, i) => {
    if (/^\s*(?:#.*)?$/.test(line)) return;
    const [, name, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    // The line itself is not repeated: it may be a secret.
    if (name === undefined) faults.push(`line ${i + 1} is not of the form NAME=value.`);
    else take(name, unquote(raw), `line ${i + 1}`);
  });
  return { values, faults };
}

function parseObject(text: string, faults: string[]): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    faults.push('the file is neither NAME=value lines nor a JSON object.');
    return {};
  }
}

function unquote(raw: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(raw) ?? [];
  return inner ?? raw;
}

function make(kind: Entry['kind']): string {
  if (kind === 'uuid') return randomUUID();
  return kind === 'name' ? 'operator' : randomBytes(32).toString(kind === 'key32' ? 'base64' : 'base64url');
}
