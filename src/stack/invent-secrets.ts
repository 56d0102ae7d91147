// The secrets npm start makes for itself, once. A value from the environment always wins and is never kept; while
// AUTH_SECRET comes from there, connect tokens are signed with it, so no connect secret is made or used.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Environment, isSet } from './environment-values.ts';

export type Secrets = Readonly<Record<string, string>>;

interface SecretRow {
  make(): string;
  /** The shape of what `make` makes, to know a damaged file. */
  readonly shape: RegExp;
  /** The part without which nobody needs it. */
  readonly part?: string;
  /** The variable that stands in for it. */
  readonly unless?: string;
}

const key32 = { make: () => randomBytes(32).toString('base64'), shape: /^[A-Za-z0-9+/]{43}=$/ };
const word = { make: () => randomBytes(32).toString('base64url'), shape: /^[A-Za-z0-9_-]{43}$/ };
const uuid = {
  make: () => randomUUID(),
  shape: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
};

/** Not variables of the service: the embedded server is reached by its URL alone, and by its superuser only from here. */
export const DATABASE_PASSWORD = 'EMBEDDED_POSTGRES_PASSWORD';
export const DATABASE_ADMIN_PASSWORD = 'EMBEDDED_POSTGRES_ADMIN_PASSWORD';
const KEPT_ONLY: readonly string[] = [DATABASE_PASSWORD, DATABASE_ADMIN_PASSWORD];

export const INVENTED = {
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
  /** What the parts need and the environment does not give. */
  readonly values: Secrets;
  /** What the file holds from now on. */
  readonly kept: Secrets;
  readonly invented: readonly string[];
}

export function mergeSecrets(environment: Environment, kept: Secrets, selected: readonly string[]): MergedSecrets {
  const values: Record<string, string> = {};
  const next: Record<string, string> = { ...kept };
  const invented: string[] = [];
  for (const [name, row] of Object.entries<SecretRow>(INVENTED)) {
    if (!KEPT_ONLY.includes(name) && isSet(environment[name])) continue;
    if (row.unless !== undefined && isSet(environment[row.unless])) continue;
    if (row.part !== undefined && !selected.includes(row.part)) continue;
    let value = next[name];
    if (value === undefined) {
      value = row.make();
      next[name] = value;
      invented.push(name);
    }
    values[name] = value;
  }
  return { values, kept: next, invented };
}
