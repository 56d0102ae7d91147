// The secrets that npm start generates once. A value from the environment always wins and is never stored; while
// AUTH_SECRET comes from there, connect tokens are signed with it, so no connect secret is generated or used.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Environment, isSet } from './environment-values.ts';

export type Secrets = Readonly<Record<string, string>>;

interface SecretRow {
  make(): string;
  /** The format of what `make` returns, to detect a damaged file. */
  readonly shape: RegExp;
  /** The part that needs it. */
  readonly part?: string;
  /** The variable that replaces it if set. */
  readonly unless?: string;
}

const key32 = { make: () => randomBytes(32).toString('base64'), shape: /^[A-Za-z0-9+/]{43}=$/ };
const word = { make: () => randomBytes(32).toString('base64url'), shape: /^[A-Za-z0-9_-]{43}$/ };
const uuid = {
  make: () => randomUUID(),
  shape: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
};

/** Not variables of the service: the embedded server is reached by its URL only, and as superuser only from here. */
export const DATABASE_PASSWORD = 'EMBEDDED_POSTGRES_PASSWORD';
export const DATABASE_ADMIN_PASSWORD = 'EMBEDDED_POSTGRES_ADMIN_PASSWORD';
const KEPT_ONLY: readonly string[] = [DATABASE_PASSWORD, DATABASE_ADMIN_PASSWORD];

export const GENERATED = {
  AUTH_SECRET: word,
  SERVICE_CONNECT_JWT_SECRET: { ...word, unless: 'AUTH_SECRET' },
  BYOK_ENCRYPTION_KEY_B64: key32,
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: key32,
  SERVICE_BROKER_TOKEN: { ...word, part: 'broker' },
  SERVICE_INTEGRATIONS_SECRET_KEY: { ...uuid, part: 'local-integrations' },
  SERVICE_INTEGRATIONS_WEBHOOK_SECRET: { ...word, part: 'local-integrations' },
  [DATABASE_PASSWORD]: { ...word, part: 'postgres' },
  [DATABASE_ADMIN_PASSWORD]: { ...word, part: 'postgres' },
} as const satisfies Record<string, SecretRow>;

export interface MergedSecrets {
  /** Secrets that the parts need and the environment does not set. */
  readonly values: Secrets;
  /** The new content of the file. */
  readonly kept: Secrets;
  readonly generated: readonly string[];
}

export function mergeSecrets(environment: Environment, kept: Secrets, selected: readonly string[]): MergedSecrets {
  const values: Record<string, string> = {};
  const next: Record<string, string> = { ...kept };
  const generated: string[] = [];
  for (const [name, row] of Object.entries<SecretRow>(GENERATED)) {
    if (!KEPT_ONLY.includes(name) && isSet(environment[name])) continue;
    if (row.unless !== undefined && isSet(environment[row.unless])) continue;
    if (row.part !== undefined && !selected.includes(row.part)) continue;
    let value = next[name];
    if (value === undefined) {
      value = row.make();
      next[name] = value;
      generated.push(name);
    }
    values[name] = value;
  }
  return { values, kept: next, generated };
}
