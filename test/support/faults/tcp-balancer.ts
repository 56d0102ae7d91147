// A load balancer as one stands before replicas: each connection goes to the next of them that takes it.
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface TcpBalancer {
  readonly port: number;
  close(): Promise<void>;
}

export async function startTcpBalancer(ports: readonly number[]): Promise<TcpBalancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    keep(client);
    const first = turn++;
    const attempt = (tries: number): void => {
      const port = ports[(first + tries) % ports.length];
      if (port === undefined || tries === ports.length) return void client.destroy();
      const replica = keep(connect(port, '127.0.0.1'));
      const refused = (): void => attempt(tries + 1);
      replica.once('error', refused);
      replica.once('connect', () => {
        replica.off('error', refused);
        client.pipe(replica).pipe(client);
        client.once('close', () => replica.destroy());
        replica.once('close', () => client.destroy());
      });
    };
    attempt(0);
  });

  function keep(socket: Socket): Socket {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    return socket;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
