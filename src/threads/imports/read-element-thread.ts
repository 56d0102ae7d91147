// The worker thread that reads the conversations of exports. The parent ends it when one takes too long or too much
// memory.
import { parentPort } from 'node:worker_threads';
import { type ThreadMessage, usedMsOfThread } from '../../process/thread-pool.ts';
import { type ReadElement, readElement } from './read-element.ts';

export interface ElementRun {
  readonly bytes: Uint8Array;
  readonly now: number;
}

const LIMIT_MS = 30_000;

parentPort?.on('message', ({ bytes, now }: ElementRun) => {
  say({ nextStepMs: LIMIT_MS, usedMs: usedMsOfThread() });
  say({ result: readElement(bytes, now) });
});

function say(message: ThreadMessage<ReadElement>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
