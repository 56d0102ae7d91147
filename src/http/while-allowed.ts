/**
 * Passes a live source on, and asks every so often, in a busy stream as in a quiet one, whether the caller may still
 * have it: a refusal ends the stream. A source yields `undefined` after a quiet while.
 */
export async function* whileAllowed<T>(source: AsyncGenerator<T | undefined>, stillAllowed: () => Promise<unknown>, everyMs: number): AsyncGenerator<T | undefined> {
  let askedAt = performance.now();
  for await (const value of source) {
    if (value === undefined || performance.now() - askedAt >= everyMs) {
      askedAt = performance.now();
      const allowed = await stillAllowed().then(() => true, () => false);
      if (!allowed) return;
    }
    yield value;
  }
}
