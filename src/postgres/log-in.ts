// Whether a server really serves us: its port may answer while it still recovers or already leaves, and another
// server may sit on a port that ours once had. Only the cluster's superuser is told its directory.
import pg from 'pg';
import { type Account, DATABASE, urlOf } from './accounts.ts';

export type LogIn = { readonly state: 'open'; readonly directory: string } | { readonly state: 'closed' | 'refused' };

/** A wrong password, no such role, or one that is no superuser. */
const REFUSED = ['28P01', '28000', '42501'];
const ANSWER_TIMEOUT_MS = 2_000;
// A session of the superuser takes nothing from a database that others may write to, and no password of it reaches the log.
const SESSION = '-c search_path=pg_catalog -c log_min_error_statement=panic';

export async function tryLogIn(port: number, account: Account): Promise<LogIn> {
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
  account: Account,
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
