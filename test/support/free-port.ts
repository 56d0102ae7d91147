// Ports for the processes that tests start. A port that is only looked up and bound later can be taken in between: by
// another test process, or by the kernel for any connection. So ports come from below the range that the kernel chooses
// from, and each is reserved for the life of the process that asked: by a UDP socket, which leaves TCP alone, which no
// two processes of a machine can bind at once, and which the kernel frees whatever becomes of us.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 32_000;

export function freePort(): Promise<number> {
  return freePorts(1);
}

/** The first of `count` ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST - count));
    if (await reserveAll(first, count)) return first;
  }
}

async function reserveAll(first: number, count: number): Promise<boolean> {
  const releases: (() => void)[] = [];
  for (let port = first; port < first + count; port++) {
    const release = await reserve(port);
    if (release) releases.push(release);
    if (release && (await isFree(port))) continue;
    for (const undo of releases) undo();
    return false;
  }
  return true;
}

function reserve(port: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.unref();
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(() => socket.close()));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
