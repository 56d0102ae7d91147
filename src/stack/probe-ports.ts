// Checks which ports are free by briefly listening on them.
import { createServer } from 'node:net';
import type { PortProbe } from './plan-ports.ts';

const LOOPBACK = ['127.0.0.1'] as const;
const EVERY_ADDRESS = ['::', '0.0.0.0'] as const;

export type PortFault = 'already in use' | 'not open to this user, because ports below 1024 need root';

export const portProbe: PortProbe = {
  isFree: async (port) => (await findPortFault(port, 'loopback')) === undefined,
  async findFree() {
    const taken = await takeBriefly(0, LOOPBACK[0]);
    if (typeof taken === 'string') throw new Error('no free port on this machine');
    return taken;
  },
};

/** Why a port cannot be used, if so. A part that listens on every address needs the port on all of them. */
export async function findPortFault(port: number, where: 'loopback' | 'everywhere'): Promise<PortFault | undefined> {
  for (const host of where === 'loopback' ? LOOPBACK : EVERY_ADDRESS) {
    const taken = await takeBriefly(port, host);
    if (typeof taken === 'string') return taken;
  }
  return undefined;
}

function takeBriefly(port: number, host: string): Promise<number | PortFault> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 has no such address.
      if (error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL') resolve(port);
      else if (error.code === 'EADDRINUSE') resolve('already in use');
      else if (error.code === 'EACCES') resolve('not open to this user, because ports below 1024 need root');
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : port));
    });
  });
}
