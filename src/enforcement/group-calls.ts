// Groups calls of one moment into one statement: what one turn of the event loop brings in goes together, and while a
// statement is under way the callers that arrive wait for the next. The more load, the larger the groups; alone, a
// caller waits for nobody.

export interface Grouped<Input, Output> {
  (input: Input): Promise<Output>;
  /** Waits for everything that was handed in. */
  drain(): Promise<void>;
}

export function groupCalls<Input, Output>(options: { lanes: number; most: number; run: (inputs: Input[]) => Promise<Output[]> }): Grouped<Input, Output> {
  const waiting: { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }[] = [];
  const running = new Set<Promise<void>>();
  let called = false;

  function pump(): void {
    while (running.size < options.lanes && waiting.length > 0) {
      const group = waiting.splice(0, options.most);
      const work = options
        .run(group.map(({ input }) => input))
        .then(
          (outputs) => group.forEach(({ resolve, reject }, i) => (i in outputs ? resolve(outputs[i] as Output) : reject(new Error('a grouped call has no answer')))),
          (error: unknown) => group.forEach(({ reject }) => reject(error)),
        )
        .finally(() => {
          running.delete(work);
          pump();
        });
      running.add(work);
    }
  }

  const call = (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (called) return;
      called = true;
      setImmediate(() => {
        called = false;
        pump();
      });
    });
  return Object.assign(call, {
    async drain() {
      while (running.size > 0 || waiting.length > 0) {
        pump();
        await Promise.all(running);
      }
    },
  });
}
