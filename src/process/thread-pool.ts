// Runs CPU-heavy work, which untrusted input can make arbitrarily long, on a few threads instead of the event loop. A
// computation cannot be interrupted on its own thread, so one that exceeds its limit is ended with its thread, and the
// next job gets a new one. Limits count the thread's CPU time, so a busy machine refuses no legitimate job. The queue
// is bounded. Buffers are outside the heap that a thread can be limited to, so they are measured while a job runs.
import { availableParallelism } from 'node:os';
import { type Transferable, Worker } from 'node:worker_threads';

/**
 * A message from a thread: that it begins a step, with the step's limit and the CPU time used so far; or its result.
 */
export type ThreadMessage<R> =
  | { readonly nextStepMs: number; readonly usedMs: number; readonly result?: never }
  | { readonly nextStepMs?: never; readonly result: R };

export interface ThreadPoolOptions {
  /** The program that every thread runs. It answers each message with steps and one result. */
  readonly file: string;
  /** For a whole job, regardless of the limits of its steps. */
  readonly timeLimitMs: number;
  readonly mostWaiting: number;
  /** How many run at once; leaves a core to the event loop if left out. */
  readonly threads?: number;
  readonly memoryMb: number;
  /** For buffers, which are outside the heap. Measured every few milliseconds, so a job may exceed it shortly. */
  readonly buffersMb?: number;
  /** The error for a job that took too long or too much memory. */
  tooSlow(): Error;
  /** The error for a job when the queue is full. */
  tooMany(): Error;
}

export interface ThreadPool<J, R> {
  /**
   * A signal that aborts takes the job out of the queue, or ends it with its thread. What is transferred is no longer
   * here afterwards, even if the job fails.
   */
  run(run: J, signal?: AbortSignal, transfer?: readonly Transferable[]): Promise<R>;
}

/** Leaves a core to the event loop. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Wall-clock limit for a whole job and for the start of a thread, so that nothing waits forever. */
const CLOCK_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 20;
const MEASURE_MS = 25;
/** Idle threads are ended to free their memory. */
const IDLE_MS = 30_000;

export function createThreadPool<J, R>(options: ThreadPoolOptions): ThreadPool<J, R> {
  const idle: IdleThread[] = [];
  const waiting: (() => void)[] = [];
  let running = 0;

  const leave = (): void => {
    const next = waiting.shift();
    // The replacement takes the place of the thread that ends, so the count stays the same.
    if (next) next();
    else running--;
  };
  return {
    async run(run, signal, transfer = []) {
      signal?.throwIfAborted();
      if (running < (options.threads ?? THREADS)) running++;
      else if (waiting.length >= options.mostWaiting) throw options.tooMany();
      else await waitForTurn(waiting, signal);
      const worker = takeIdle(idle) ?? startWorker(options, idle);
      try {
        const result = await runOn<J, R>(worker, { run, transfer }, options, signal);
        keepIdle(worker, idle);
        return result;
      } catch (error) {
        await worker.terminate();
        throw error;
      } finally {
        leave();
      }
    },
  };
}

function waitForTurn(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const begin = (): void => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(signal?.reason as Error);
    };
    waiting.push(begin);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

function startWorker({ file, memoryMb }: ThreadPoolOptions, idle: IdleThread[]): Worker {
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  });
  // A failure while a job runs fails that job as well.
  worker.on('error', () => {});
  worker.on('exit', () => forget(worker, idle));
  return worker;
}

function runOn<J, R>(
  worker: Worker,
  { run, transfer }: { readonly run: J; readonly transfer: readonly Transferable[] },
  { timeLimitMs, buffersMb, tooSlow }: ThreadPoolOptions,
  signal: AbortSignal | undefined,
): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  let clock: NodeJS.Timeout | undefined;
  let fail = (): void => {};
  let giveUp = (): void => {};
  let measuring: NodeJS.Timeout | undefined;
  return new Promise<R>((resolve, reject) => {
    fail = () => reject(tooSlow());
    giveUp = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', giveUp, { once: true });
    clock = setTimeout(fail, CLOCK_LIMIT_MS);
    if (buffersMb !== undefined) measuring = measureBuffers(worker, buffersMb, () => fail());
    let runEndsAt: number | undefined;
    const endAt = (usedMs: number, limitMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(limitMs).catch(fail), Math.max(LOOK_AGAIN_MS, limitMs - usedMs));
    };
    const look = async (limitMs: number): Promise<void> => {
      const looked = timer;
      const { user, system } = await worker.cpuUsage();
      // Another step has begun in the meantime.
      if (looked !== timer) return;
      const usedMs = (user + system) / 1_000;
      if (usedMs >= limitMs) fail();
      else endAt(usedMs, limitMs);
    };
    worker.ref();
    worker.on('message', ({ nextStepMs, ...said }: ThreadMessage<R>) => {
      if (nextStepMs === undefined) return resolve((said as { result: R }).result);
      const { usedMs } = said as { usedMs: number };
      runEndsAt ??= usedMs + timeLimitMs;
      endAt(usedMs, Math.min(usedMs + nextStepMs, runEndsAt));
    });
    // Out of memory or stack.
    worker.on('error', fail).on('exit', fail);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(run, transfer);
  }).finally(() => {
    clearTimeout(timer);
    clearTimeout(clock);
    clearInterval(measuring);
    signal?.removeEventListener('abort', giveUp);
    worker.removeAllListeners('message').off('error', fail).off('exit', fail);
  });
}

function measureBuffers(worker: Worker, buffersMb: number, exceeded: () => void): NodeJS.Timeout {
  let asked = false;
  const measure = async (): Promise<void> => {
    if (asked) return;
    asked = true;
    try {
      const { external_memory: bytes } = await worker.getHeapStatistics();
      if (bytes > buffersMb * 1024 * 1024) exceeded();
    } catch {
      // It has not started yet, or ended.
    } finally {
      asked = false;
    }
  };
  return setInterval(() => void measure(), MEASURE_MS);
}

/** The CPU time this thread has used; called by a thread's program. */
export function usedMsOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface IdleThread {
  readonly worker: Worker;
  /** Ends it. */
  readonly timer: NodeJS.Timeout;
}

function keepIdle(worker: Worker, idle: IdleThread[]): void {
  worker.unref();
  const end = (): void => {
    forget(worker, idle);
    void worker.terminate();
  };
  idle.push({ worker, timer: setTimeout(end, IDLE_MS).unref() });
}

/** The most recently used thread is reused first, so that the others become idle and end. */
function takeIdle(idle: IdleThread[]): Worker | undefined {
  const last = idle.pop();
  clearTimeout(last?.timer);
  return last?.worker;
}

function forget(worker: Worker, idle: IdleThread[]): void {
  const at = idle.findIndex((each) => each.worker === worker);
  if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.timer);
}
