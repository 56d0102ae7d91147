/**
 * Shares one costly read between any number of callers. Callers wait for the read under way; its result is then reused
 * for `freshMs` or for twenty times as long as the read took, whichever is longer, so that reading never takes more than
 * a twentieth of the time. Failures are not kept.
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
