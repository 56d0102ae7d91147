// Work that is done again and again: never twice at once, a pause after each run, and a stop that waits for the run
// under way. A failed run is logged and the next one comes in its time.

export interface EveryOptions {
  readonly everyMs: number;
  /** Up to this share of the pause is added at random, so that processes that start together do not stay in step. */
  readonly jitter?: number;
  /** Whether the first run begins now; otherwise after a pause. */
  readonly isFirstNow?: boolean;
  /** Whether the timer keeps the process from ending by itself. */
  readonly keepsProcess?: boolean;
  /** Named in the log when a run fails. */
  readonly task: string;
  readonly log: { warn(fields: object, message: string): void };
  readonly run: (stopping: AbortSignal) => Promise<unknown> | void;
}

export interface Every {
  /** Resolves once the run under way is over; none begins after that. */
  stop(): Promise<void>;
}

export function every(options: EveryOptions): Every {
  const { everyMs, jitter = 0, isFirstNow = false, keepsProcess = false, task, log, run } = options;
  const stopping = new AbortController();
  let underWay = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function runOnce(): Promise<void> {
    try {
      await run(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error, task }, 'periodic task failed; it runs again later');
    }
    pause();
  }

  function pause(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(begin, everyMs * (1 + jitter * Math.random()));
    if (!keepsProcess) timer.unref();
  }

  function begin(): void {
    underWay = runOnce();
  }

  if (isFirstNow) begin();
  else pause();
  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return underWay;
    },
  };
}
