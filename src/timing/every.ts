// Periodic work: never twice at once, a pause after each run, and a stop that waits for the run under way. A failed run is
// logged, and the next one comes after the usual pause.

export interface EveryOptions {
  readonly everyMs: number;
  /** Up to this share of the pause is added at random, so that processes that started together drift apart. */
  readonly jitter?: number;
  /** Logged when a run fails. */
  readonly task: string;
  readonly log: Readonly<Record<'warn' | 'error', (fields: object, message: string) => void>>;
  /** The log level of a failed run. */
  readonly level?: 'warn' | 'error';
  readonly run: (stopping: AbortSignal) => Promise<unknown> | void;
}

export interface Every {
  /** Runs now, or after the run under way; never rejects. */
  run(): Promise<void>;
  /** Resolves once the run under way is over; none begins after that. */
  stop(): Promise<void>;
}

export function every(options: EveryOptions): Every {
  const { everyMs, jitter = 0, level = 'warn', task, log, run } = options;
  const stopping = new AbortController();
  let underWay = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function runOnce(): Promise<void> {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    try {
      await run(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) log[level]({ err: error, task }, 'periodic task failed; it runs again later');
    }
    pause();
  }

  function pause(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void begin(), everyMs * (1 + jitter * Math.random()));
  }

  function begin(): Promise<void> {
    underWay = underWay.then(runOnce);
    return underWay;
  }

  pause();
  return {
    run: begin,
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return underWay;
    },
  };
}
