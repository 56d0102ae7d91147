// Where the gateway listens. `localhost` means both loopback addresses, because a client may try either first; a
// machine without IPv6 does without the second.
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type ServerOpts, type Socket } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Accepts no more connections; resolves when those of the second address have ended. */
  close(): Promise<void>;
}

const MISSING_ADDRESS: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Without a host: every address of the machine. `sockets` receives the connections of the second address. */
export async function listenOn(
  server: Server,
  port: number,
  host: string | undefined,
  sockets: ServerOpts,
): Promise<Listening> {
  if (host !== 'localhost') return { port: await listen(server, port, host), close: () => Promise.resolve() };
  const taken = await listen(server, port, '127.0.0.1');
  const second = createServer(sockets, (socket: Socket) => server.emit('connection', socket));
  try {
    await listen(second, taken, '::1');
  } catch (error) {
    if (!MISSING_ADDRESS.has((error as NodeJS.ErrnoException).code)) throw error;
  }
  return { port: taken, close: () => new Promise((resolve) => second.close(() => resolve())) };
}

function listen(server: NetServer, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
