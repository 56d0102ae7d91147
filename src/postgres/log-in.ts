// Whether a server is really ours and ready: its port may accept connections while it is still recovering or already
// shutting down, and another server may use a port that ours once had. Only the superuser can read the data directory.
import pg from 'pg';
import { type DatabaseAccount, DATABASE, urlOf } from './accounts.ts';

export type LogIn = { readonly state: 'open'; readonly directory: string } | { readonly state: 'closed' | 'refused' };

/** A wrong password, no such role, or a role that is not a superuser. */
const REFUSED = ['28P01', '28000', '42501'];
const ANSWER_TIMEOUT_MS = 2_000;
// The superuser's session ignores objects in databases that others may write to, and its passwords are kept out of the
// log.
const SESSION = '-c search_path=pg_catalog -c log_min_error_statement=panic';

export async function tryLogIn(port: number, account: DatabaseAccount): Promise<LogIn> {
  try {
    return await withSession(port, account, { database: DATABASE, timeoutMs: ANSWER_TIMEOUT_MS }, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      return { state: 'open', directory: rows[0]?.data_directory ?? '' };
    });
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    return { state: REFUSED.includes(code) ? 'refused' : 'closed' };
  }
}

/** `timeoutMs` is for the connection and for each statement. */
export async function withSession<T>(
  port: number,
  account: DatabaseAccount,
  { database, timeoutMs }: { database: string; timeoutMs: number },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: urlOf(port, account, database),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'stack',
    options: SESSION,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
