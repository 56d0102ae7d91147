// Waits until a part answers on its port.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_ADDRESS = ['0.0.0.0', '::', '*'];
const PAUSE_MS = 50;
const ANSWER_TIMEOUT_MS = 2_000;

export async function awaitHttp(url: string, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  // A refused connection costs a tenth of a failed fetch, and while twelve parts start, the processor is what they lack.
  await repeat(signal, () => accepts(hostname, Number(port)));
  await repeat(signal, async () => {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status === 200;
  });
}

/** A part that listens on every address also answers on loopback; one that listens on a single address only there. */
export async function awaitTcp(port: number, address: string | undefined, signal: AbortSignal): Promise<void> {
  const host = address === undefined || EVERY_ADDRESS.includes(address) ? '127.0.0.1' : address;
  await repeat(signal, () => accepts(host, port));
}

async function repeat(signal: AbortSignal, answers: () => Promise<boolean>): Promise<void> {
  while (!(await answers().catch(() => false))) await sleep(PAUSE_MS, undefined, { signal });
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('connect', () => finish(true));
  });
}
