// Stops the gateway without interrupting work: no new connections, running requests and answers of models may finish
// within the grace period, other event streams end as soon as they are idle, WebSockets end at once. Clients of the last
// two reconnect on their own.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listening } from './listen-on.ts';
import type { EventStream } from './proxy-request.ts';

const TICK_MS = 250;
const SILENT_TICKS = 4;

interface Draining {
  readonly listening: Listening | undefined;
  readonly eventStreams: ReadonlySet<EventStream>;
  /** Upgraded connections, which the server no longer tracks. */
  readonly upgraded: ReadonlySet<Socket>;
  readonly graceMs: number;
}

export async function drainServer(
  server: Server,
  { listening, eventStreams, upgraded, graceMs }: Draining,
): Promise<void> {
  const closed = Promise.all([new Promise<void>((resolve) => server.close(() => resolve())), listening?.close()]);
  for (const socket of upgraded) socket.destroy();
  for (const stream of eventStreams) stream.busy = false;
  let ticks = 0;
  const ticker = setInterval(() => {
    server.closeIdleConnections();
    if (++ticks % SILENT_TICKS !== 0) return;
    for (const stream of eventStreams) {
      if (!stream.busy && !stream.isAnswer) stream.end();
      stream.busy = false;
    }
  }, TICK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(ticker);
  clearTimeout(deadline);
}
