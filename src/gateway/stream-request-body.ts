// A request's body as a separate stream. The HTTP client destroys the body it was given if the upstream responds before
// reading everything; the client's connection must survive that, so the rest is read and dropped.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { dropRest } from '../net/drop-rest.ts';

const HIGH_WATER_MARK = 64 * 1024;
/** An upstream that refuses does so by the head alone: the rest of a large body waits a moment for that. */
const HEADSTART_BYTES = 256 * 1024;
const HEADSTART_MS = 20;

export function streamRequestBody(req: IncomingMessage): Readable {
  const body = new Readable({
    highWaterMark: HIGH_WATER_MARK,
    read: () => void (held || req.resume()),
    destroy: (error, done) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      dropRest(req);
      done(error);
    },
  });
  let bytes = 0;
  let held = false;
  let timer: NodeJS.Timeout | undefined;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (!body.push(chunk)) req.pause();
    if (timer !== undefined || bytes < HEADSTART_BYTES) return;
    held = true;
    req.pause();
    timer = setTimeout(() => {
      held = false;
      req.resume();
    }, HEADSTART_MS);
  };
  const onEnd = (): void => void body.push(null);
  const onClose = (): void => {
    if (!req.complete) body.destroy(new Error('the client disconnected before its request was complete'));
  };
  // The reader of the body handles the error itself; without a listener it would end the process.
  body.on('error', () => {});
  req.on('data', onData).on('end', onEnd).on('close', onClose);
  req.on('error', () => {});
  return body;
}
