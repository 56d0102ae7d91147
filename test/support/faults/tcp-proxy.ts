// A TCP proxy that misbehaves as networks do: it delays, refuses, cuts, swallows what is sent while both connections
// stay open, and keeps the server's side open after the client is gone.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** How many connections to the server are open. */
  readonly open: number;
  /** Everything takes this much longer, each way. */
  delay(ms: number): void;
  /** New connections are refused from now on, and those that are open are cut. */
  refuse(): void;
  accept(): void;
  /** Ends open connections; new ones are served. */
  cut(): void;
  /** Open connections silently stop delivering, in both directions; connections made from now on are served. */
  abandon(): void;
  close(): Promise<void>;
}

export interface TcpProxyOptions {
  /** Where it listens; the loopback unless told otherwise. */
  readonly host?: string;
  /** The server is not told when a client leaves. */
  readonly keepsServerSide?: boolean;
}

export async function startTcpProxy(
  target: { readonly port: number; readonly host?: string },
  { host = '127.0.0.1', keepsServerSide = false }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  const abandoned = new WeakSet<Socket>();
  let delayMs = 0;
  let refusing = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  }

  /** Timers of one length fire in the order in which they were set, so the bytes keep theirs. */
  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (abandoned.has(from)) return;
      if (delayMs === 0) return void to.write(chunk);
      const mine = delayMs;
      setTimeout(() => to.write(chunk), mine);
    });
  }

  const listener = createServer((client) => {
    keep(client);
    if (refusing) return void client.resetAndDestroy();
    const server = keep(connect(target.port, target.host ?? '127.0.0.1'));
    servers.add(server);
    server.once('close', () => servers.delete(server));
    forward(client, server);
    forward(server, client);
    client.once('close', () => !keepsServerSide && !abandoned.has(client) && server.destroy());
    server.once('close', () => !abandoned.has(server) && client.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));

  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    host,
    port: (listener.address() as AddressInfo).port,
    get open() {
      return servers.size;
    },
    delay: (ms) => void (delayMs = ms),
    refuse() {
      refusing = true;
      cut();
    },
    accept: () => void (refusing = false),
    cut,
    abandon() {
      for (const socket of sockets) abandoned.add(socket);
    },
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** The same address by way of a proxy. */
export function throughProxy(url: string, { host, port }: Pick<TcpProxy, 'host' | 'port'>): string {
  const address = new URL(url);
  [address.hostname, address.port] = [host, String(port)];
  return address.href;
}
