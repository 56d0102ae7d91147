/**
 * Lets any number of callers share one costly read. While one is under way everybody waits for it; its answer
 * then serves for `freshMs`, or for twenty times as long as it took, whichever is longer, so that readers can
 * never spend more than a twentieth of anybody's time. Failures are not kept.
 */
export function shareRead<T>(read: () => Promise<T>, freshMs: number): () => Promise<T> {
  let kept: { value: T; until: number } | undefined;
  let reading: Promise<T> | undefined;
  return () => {
    if (kept && performance.now() < kept.until) return Promise.resolve(kept.value);
    reading ??= (async () => {
      const startedAt = performance.now();
      try {
        const value = await read();
        const now = performance.now();
        kept = { value, until: now + Math.max(freshMs, 20 * (now - startedAt)) };
        return value;
      } finally {
        reading = undefined;
      }
    })();
    return reading;
  };
}
