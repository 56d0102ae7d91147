// A tunnel to one host and port, as a client requests it with CONNECT. It connects to the very address that was
// checked.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Budget } from './budget.ts';

interface Tunnel {
  readonly client: Socket;
  readonly head: Buffer;
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
  readonly budget: Budget;
}

const CONNECT_MS = 15_000;
const SILENCE_MS = 600_000;

export function openTunnel({ client, head, host, port, lookup, budget }: Tunnel): void {
  const server = connect({ host, port, allowHalfOpen: true, ...(isIP(host) === 0 ? { lookup } : {}) });
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  server.setTimeout(CONNECT_MS, end);
  client.setTimeout(SILENCE_MS, end);
  const refused = (): void =>
    void client.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\nThe host could not be reached.\n');
  server.once('error', refused);
  client.on('error', end).once('close', end);
  server.once('connect', () => {
    server.off('error', refused);
    server.on('error', end).once('close', end);
    server.setTimeout(SILENCE_MS, end);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) server.write(head);
    for (const side of [client, server]) side.on('data', (chunk: Buffer) => budget.takeBytes(chunk.length) || end());
    client.pipe(server);
    server.pipe(client);
  });
}
