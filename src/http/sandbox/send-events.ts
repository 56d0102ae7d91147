// The log of a command as lines of JSON. A caller that does not read delays only itself: the log is kept separately.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ExecLog } from '../../sandbox/exec-log.ts';

export async function sendEvents(response: ServerResponse, log: ExecLog, after: number): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  for await (const event of log.follow(after, gone.signal)) {
    if (!response.write(`${JSON.stringify(event)}\n`))
      await once(response, 'drain', { signal: gone.signal }).catch(() => {});
  }
  response.end();
}
