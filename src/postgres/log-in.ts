// Whether a server really serves us: its port may answer while it still recovers or already leaves, and another
// server may sit on a port that ours once had.
import pg from 'pg';

export type LogIn =
  | { readonly state: 'open'; readonly directory: string }
  | { readonly state: 'closed' | 'refused' };

const WRONG_PASSWORD = ['28P01', '28000'];

export async function tryLogIn(url: string): Promise<LogIn> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000, application_name: 'stack' });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return { state: 'open', directory: rows[0]?.data_directory ?? '' };
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    return { state: WRONG_PASSWORD.includes(code) ? 'refused' : 'closed' };
  } finally {
    await client.end().catch(() => {});
  }
}
