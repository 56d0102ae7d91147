// The threads for large bodies. Few run at once and few wait; beyond that a request is told to come back shortly.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { programDirectory } from '../../process/package-root.ts';
import { createThreadPool, type ThreadPool } from '../../process/thread-pool.ts';
import { type BodyJob, buffersOf, type JobResult } from './body-job.ts';

const TIME_LIMIT_MS = 20_000;
const MOST_WAITING = 16;
/** A body of the largest size takes about a third of it. */
const HEAP_MB = 1024;

let threads: ThreadPool<BodyJob, JobResult> | undefined;

export function runOnThread(job: BodyJob, signal: AbortSignal | undefined): Promise<JobResult> {
  threads ??= createThreadPool({
    file: programFile(),
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    timeLimitMs: TIME_LIMIT_MS,
    mostWaiting: MOST_WAITING,
    memoryMb: HEAP_MB,
    tooSlow: () => new AppError('invalid_request', { body: 'takes too long to read' }),
    tooMany: () => new AppError('rate_limited', { retryAfterSeconds: 2 }),
  });
  return threads.run(job, signal, 'lent' in job ? buffersOf(job) : []);
}

/** Next to this file in the sources, next to the entry points once bundled. */
function programFile(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'body-thread.ts')
    : join(programDirectory(), 'body-thread.js');
}
