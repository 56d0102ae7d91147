// Gives each connection an explicit search path that a role's default cannot redirect.
//
// A direct connection gets it as a start-up option, which outranks every ALTER ROLE and ALTER DATABASE default. A
// transaction pooler may refuse or drop that option, so a nonce is sent along: only a backend that was started with our
// options can return it. If it does not come back, every statement runs in a transaction that sets the path itself.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { ClientClass } from './primary-client.ts';

export type PathMode = 'startup' | 'each-transaction';

export interface ConnectionSettings {
  readonly url: string;
  readonly schema: string;
  readonly applicationName: string;
}

const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const nonce = randomBytes(8).toString('hex');

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The setting's value for exactly this schema, as SHOW prints it back. */
export function searchPath(schema: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : quoteIdentifier(schema);
}

/** Begins a transaction and sets the path, in one message. */
export function beginWithPath(schema: string): string {
  return `begin; select set_config('search_path', '${searchPath(schema).replaceAll("'", "''")}', true)`;
}

export function clientConfig(settings: ConnectionSettings, mode: PathMode): pg.ClientConfig {
  return {
    connectionString: settings.url,
    application_name: settings.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    keepAlive: true,
    ...(mode === 'startup'
      ? {
          options: [
            `-c search_path=${searchPath(settings.schema)}`,
            `-c service.session=${nonce}`,
            `-c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
            `-c idle_in_transaction_session_timeout=${STATEMENT_TIMEOUT_MS}`,
          ].join(' '),
        }
      : {}),
  };
}

/** Connects once to find out which mode this server, or the pooler in front of it, allows. */
export async function probePathMode(settings: ConnectionSettings, Client: ClientClass): Promise<PathMode> {
  const client = new Client(clientConfig(settings, 'startup'));
  client.on('error', () => {});
  try {
    await client.connect();
    return (await holdsStartupPath(client, settings.schema)) ? 'startup' : 'each-transaction';
  } catch (error) {
    if (refusesStartupOptions(error)) return 'each-transaction';
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function holdsStartupPath(client: pg.ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ path: string; session: string | null }>(
    "select current_setting('search_path') as path, current_setting('service.session', true) as session",
  );
  return rows[0]?.path === searchPath(schema) && rows[0].session === nonce;
}

function refusesStartupOptions(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/i.test(error.message);
}
