// How the web server reads what a run left, for the person who started it: the files are where the runtime is. The caller
// creates the token. An answer that stops arriving is given up.
import { Pool } from 'undici';
import { AppError } from '../base/errors.ts';
import { traceHeaders } from '../telemetry/telemetry.ts';

export interface RunFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ArtifactReader {
  /** One file after another; each is read before the next is opened. Throws `not_found` and `runtime_unreachable`. */
  read(runId: string, token: () => Promise<string>): AsyncGenerator<RunFile>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** At most a thousand names, each a path of at most 17 segments. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

export function createArtifactReader(url: string): ArtifactReader {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 4, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const open = async (path: string, token: string): Promise<AsyncIterable<Buffer>> => {
    const { statusCode, body } = await pool
      .request({
        method: 'GET',
        path: `${pathname.replace(/\/$/, '')}/jobs/${path}`,
        headers: { authorization: `Bearer ${token}`, ...traceHeaders() },
      })
      .catch((cause: unknown) => {
        throw new AppError('runtime_unreachable', {}, { cause });
      });
    if (statusCode === 200) return body;
    await body.dump();
    throw statusCode === 404 || statusCode === 403
      ? new AppError('not_found')
      : new AppError('runtime_unreachable', {}, { cause: new Error(`runtime answered ${statusCode}`) });
  };
  return {
    async *read(runId, token) {
      const run = encodeURIComponent(runId);
      for (const name of await listNames(await open(`${run}/artifacts`, await token()))) {
        const path = name.split('/').map(encodeURIComponent).join('/');
        yield { name, content: await open(`${run}/artifacts/${path}`, await token()) };
      }
    },
    close: () => pool.destroy(),
  };
}

async function listNames(body: AsyncIterable<Buffer>): Promise<string[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_LIST_BYTES) throw new AppError('runtime_unreachable');
    chunks.push(chunk);
  }
  const { artifacts } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { artifacts: { name: string }[] };
  return artifacts.map(({ name }) => name);
}
