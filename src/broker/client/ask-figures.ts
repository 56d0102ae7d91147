// Reads the figures of our broker over HTTP, because it may run anywhere. Other brokers do not have this address, and
// nothing depends on the answer.
import { Pool } from 'undici';
import type { BrokerFigures, WaitingTask } from '../protocol/figures.ts';

export interface FiguresClient {
  all(): Promise<BrokerFigures>;
  /** The waiting tasks of one call and of the calls that it made. */
  waiting(origin: string): Promise<readonly WaitingTask[]>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 2_000;
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

export function createFiguresClient(url: string, token: string | undefined): FiguresClient {
  const { origin: server, pathname } = new URL(url);
  const pool = new Pool(server, { connections: 2, connect: { timeout: TIMEOUT_MS } });
  const base = pathname.replace(/\/$/, '');

  async function ask(query: string): Promise<unknown> {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `${base}/figures${query}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the broker answered ${statusCode}`);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ANSWER_MAX_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  }

  return {
    all: async () => (await ask('')) as BrokerFigures,
    waiting: async (origin) =>
      ((await ask(`?origin=${encodeURIComponent(origin)}`)) as { waiting?: WaitingTask[] }).waiting ?? [],
    close: () => pool.destroy(),
  };
}
