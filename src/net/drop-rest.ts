// After a refusal the rest of the body is read and discarded: closing the connection over unread bytes would reset it,
// and the sender would never see the refusal. The amount is bounded, and beyond a first part it is throttled across the
// process, so that it does not slow other requests.
import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 128 * 1024 * 1024;
const AT_ONCE_BYTES = 256 * 1024;
/** For the whole process. */
const BYTES_PER_MS = 8 * 1024;
const TIME_LIMIT_MS = 60_000;

let freeAt = 0;

export function dropRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  let pause: NodeJS.Timeout | undefined;
  const limit = setTimeout(() => request.socket.destroy(), TIME_LIMIT_MS).unref();
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) request.socket.destroy();
    if (bytes <= AT_ONCE_BYTES) return;
    request.pause();
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + chunk.length / BYTES_PER_MS;
    pause = setTimeout(() => request.resume(), freeAt - now);
  });
  request.once('close', () => {
    clearTimeout(limit);
    clearTimeout(pause);
  });
  // The connection may break in the meantime, which no longer matters.
  request.on('error', () => {});
  request.resume();
}
