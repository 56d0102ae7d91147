/** Runs at most `most()` pieces of work at once; the rest wait in order of arrival. */
export function limitConcurrency(most: () => number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most()) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The slot goes straight to the next in line, so that a later caller cannot take it first.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
