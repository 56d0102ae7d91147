// The one way to try again: how often, and with which pauses, is a row of retry-policies.ts. A signal ends a pause at
// once; the work is then tried one last time, so work that must not begin after that looks at the signal itself.

interface PausePolicy {
  /** The pause after the first failure; without it there are none. */
  readonly firstMs?: number;
  /** Pauses double, unless each is longer by the first, or three times as long as the last. */
  readonly growth?: 'linear' | 'threefold';
  readonly mostMs?: number;
  /** A pause is multiplied by a random number between these, so that processes that failed together spread out. */
  readonly spread?: readonly [least: number, most: number];
}

export interface RetryPolicy extends PausePolicy {
  /** Which errors are retried: those with one of these codes, or those that pass this test. */
  readonly retries: readonly string[] | ((error: unknown) => boolean);
  readonly tries?: number;
  /** No pause ends later than this after the first try; some callers have a patience of their own. */
  readonly patienceMs?: number;
}

export interface ReconnectPolicy extends PausePolicy {
  /** After a connection that lasted longer than this, the pauses begin with the first again. */
  readonly steadyMs: number;
}

interface RetryOptions {
  readonly patienceMs?: number | undefined;
  /** Ends the retries. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every failed try, the last one included. */
  readonly onFailure?: (error: unknown, tries: number) => void;
}

/**
 * An earlier try may have taken effect although its answer was lost, so `work` is passed the number of the try. The last
 * error is thrown.
 */
export async function retry<T>(
  policy: RetryPolicy,
  work: (tries: number) => Promise<T>,
  { patienceMs = policy.patienceMs ?? Infinity, signal, onFailure }: RetryOptions = {},
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries);
    } catch (error) {
      onFailure?.(error, tries);
      const pauseMs = pauseAfter(policy, tries);
      if (
        !isRetried(policy, error) ||
        signal?.aborted ||
        tries >= (policy.tries ?? Infinity) ||
        performance.now() + pauseMs > deadline
      )
        throw error;
      await pause(pauseMs, signal);
    }
  }
}

interface ReconnectOptions {
  readonly signal: AbortSignal;
  /** Called for a connection that failed, with how many have failed in a row; not for one that just ended. */
  readonly onFailure: (error: unknown, failures: number) => void;
}

/** Connects again whenever the connection ends, until the signal. `connect` settles when the connection has ended. */
export async function reconnect(
  policy: ReconnectPolicy,
  connect: () => Promise<void>,
  { signal, onFailure }: ReconnectOptions,
): Promise<void> {
  for (let ended = 0, failures = 0; !signal.aborted;) {
    const startedAt = performance.now();
    const failure = await connect().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (performance.now() - startedAt > policy.steadyMs) ended = failures = 0;
    if (failure && !signal.aborted) onFailure(failure.error, ++failures);
    await pause(pauseAfter(policy, ++ended), signal);
  }
}

/** For loops that pause in a way of their own. */
export function pauseAfter(policy: PausePolicy, failures: number): number {
  const { firstMs = 0, growth, mostMs = Infinity, spread: [least, most] = [1, 1] } = policy;
  const factor = growth === 'linear' ? failures : (growth === 'threefold' ? 3 : 2) ** (failures - 1);
  const pauseMs = Math.min(firstMs * factor, mostMs);
  return pauseMs * (least + (most - least) * Math.random());
}

function isRetried({ retries }: RetryPolicy, error: unknown): boolean {
  if (typeof retries === 'function') return retries(error);
  return retries.includes(String((error as { code?: unknown } | undefined)?.code));
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0 || signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
