// A node:http server with limits against slow and oversized clients, and a stop that lets requests finish.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Serving {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

const DRAIN_MS = 5_000;

export async function serve(listener: RequestListener, options: { port: number; host?: string | undefined }): Promise<Serving> {
  const server = createServer({ headersTimeout: 20_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Event streams never end by themselves; after a moment for ordinary requests they are cut.
        setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      }),
  };
}
