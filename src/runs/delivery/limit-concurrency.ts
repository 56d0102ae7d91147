/** At most so many at once; the rest wait in the order in which they came. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The place is handed over, so that nobody who comes now takes it first.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
