// The worker thread for large bodies. The parent ends it when it takes too long or too much memory.
import { parentPort, type Transferable } from 'node:worker_threads';
import { type ThreadMessage, usedMsOfThread } from '../../process/thread-pool.ts';
import { type BodyJob, buffersOf, type JobResult, runBodyJob } from './body-job.ts';

const LIMIT_MS = 20_000;

parentPort?.on('message', (job: BodyJob) => {
  say({ nextStepMs: LIMIT_MS, usedMs: usedMsOfThread() });
  const result = runBodyJob(job);
  say({ result }, buffersOf(result));
});

function say(message: ThreadMessage<JobResult>, transfer: readonly Transferable[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message, transfer);
}
