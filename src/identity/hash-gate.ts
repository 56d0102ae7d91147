// A password hash is the dearest thing that a stranger can make the service do: tens of milliseconds of a core and
// 32 MiB. A few run at once, on threads beside the event loop; the others wait in line, callers taking turns, and
// whoever finds the line full is told to come back.
import { AppError } from '../base/errors.ts';

export interface HashGate {
  /** Throws `rate_limited` when the line is full, or the caller has too many places in it. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export interface HashGateOptions {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitingMaxPerCaller: number;
}

const RETRY_AFTER_SECONDS = 2;

export function createHashGate({ atOnce, waitingMax, waitingMaxPerCaller }: HashGateOptions): HashGate {
  /** By caller; the caller whose turn is next comes first. */
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  async function enter(caller: string): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    const line = lines.get(caller) ?? [];
    if (waiting >= waitingMax || line.length >= waitingMaxPerCaller) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    waiting++;
    lines.set(caller, line);
    await new Promise<void>((resolve) => line.push(resolve));
  }

  function leave(): void {
    for (const [caller, line] of lines) {
      const next = line.shift();
      lines.delete(caller);
      if (line.length > 0) lines.set(caller, line);
      if (next === undefined) continue;
      waiting--;
      next();
      return;
    }
    running--;
  }

  return {
    async run(caller, work) {
      await enter(caller);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
