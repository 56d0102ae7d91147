// Groups calls of one moment into one statement: what one turn of the event loop brings in goes together, and while a
// statement is under way the callers that arrive wait for the next. The more load, the larger the groups; alone, a
// caller waits for nobody.

export interface Grouped<Input, Output> {
  (input: Input): Promise<Output>;
  /** Sends what was handed in until now on its way and waits for it. False when there was nothing. */
  flush(): Promise<boolean>;
  /** Waits for everything that was handed in, and is handed in meanwhile. */
  drain(): Promise<void>;
}

export interface GroupOptions<Input, Output> {
  /** How many groups may be under way at once. */
  readonly lanes: number;
  readonly most: number;
  /** For how long a group collects before it leaves, where nobody waits for the answer. */
  readonly collectMs?: number;
  readonly run: (inputs: Input[]) => Promise<Output[]>;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export function groupCalls<Input, Output>({
  lanes,
  most,
  collectMs = 0,
  run,
}: GroupOptions<Input, Output>): Grouped<Input, Output> {
  const waiting: Waiting<Input, Output>[] = [];
  const running = new Set<Promise<void>>();
  let called = false;

  function pump(): void {
    while (running.size < lanes && waiting.length > 0) {
      const group = waiting.splice(0, most);
      const work = runGroup(group).finally(() => {
        running.delete(work);
        pump();
      });
      running.add(work);
    }
  }

  async function runGroup(group: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await run(group.map(({ input }) => input));
      for (const [i, { resolve, reject }] of group.entries()) {
        if (i in outputs) resolve(outputs[i] as Output);
        else reject(new Error('a grouped call has no answer'));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function leave(): void {
    called = false;
    pump();
  }

  const call = (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (called) return;
      called = true;
      if (collectMs > 0) setTimeout(leave, collectMs);
      else setImmediate(leave);
    });
  return Object.assign(call, {
    async flush() {
      if (running.size === 0 && waiting.length === 0) return false;
      const last = waiting.at(-1);
      const isWaiting = (): boolean => last !== undefined && waiting.includes(last);
      pump();
      while (isWaiting()) await Promise.race(running);
      await Promise.all(running);
      return true;
    },
    async drain() {
      while (running.size > 0 || waiting.length > 0) {
        pump();
        await Promise.all(running);
      }
    },
  });
}
