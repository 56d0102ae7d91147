// Requests whose bodies are announced and do not arrive, each on a socket of its own, as a stranger on a network of its
// own or as anybody whose headers are given.
import { connect, type Socket } from 'node:net';

export interface Stalled {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of the body; absent if not even the head is complete. */
  readonly begun?: string;
}

export interface StalledSenders {
  /** The status that each was answered with; 0 if its connection was closed without one. */
  readonly statuses: Promise<number[]>;
  close(): void;
}

export async function stallSenders(url: string, stalled: readonly Stalled[]): Promise<StalledSenders> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const statuses = await Promise.all(
    stalled.map(async ({ method = 'POST', path, headers, begun }) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      const status = new Promise<number>((resolve) => {
        let text = '';
        socket.on('data', (piece: Buffer) => {
          text += piece.toString('latin1');
          const found = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
          if (found !== undefined) resolve(Number(found));
        });
        socket.on('error', () => {}).on('close', () => resolve(0));
      });
      const head = [`${method} ${path} HTTP/1.1`, `host: ${hostname}:${port}`];
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      await new Promise<void>((resolve) => {
        socket.write(`${[...head, ...lines].join('\r\n')}\r\n${begun === undefined ? '' : `\r\n${begun}`}`, () =>
          resolve(),
        );
      });
      // In an object, so that it is not awaited here.
      return { status };
    }),
  );
  return {
    statuses: Promise.all(statuses.map(({ status }) => status)),
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** A stranger's address in a network that nobody else is in. */
export function addressOf(network: number): string {
  return `2001:db8:${(network >> 16).toString(16)}:${(network & 0xffff).toString(16)}::1`;
}
