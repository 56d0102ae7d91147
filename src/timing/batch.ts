// Batches concurrent calls: those of the same turn of the event loop, and those that arrive while a batch is under way. If
// a batch fails for a reason that may lie in one of its calls, each is retried alone, so that one bad call does not fail
// the others.
import { createLanes } from './lanes.ts';

export interface Batched<Input, Output> {
  (input: Input): Promise<Output>;
  waiting(): number;
  /** Starts what may start, without waiting for the schedule. */
  start(): void;
  /** Starts the calls made so far and waits for them. False if there were none. */
  flush(): Promise<boolean>;
  /** Waits for all calls, including those made in the meantime. */
  drain(): Promise<void>;
}

interface BatchRun<Kind> {
  readonly kind: Kind;
  /** Whether this is a single call of a batch that failed. */
  readonly isRetry: boolean;
}

export interface BatchOptions<Input, Output, Kind extends string> {
  /** How many batches of one kind may be under way at once. */
  readonly lanes: number;
  readonly most: number;
  /** How long a batch collects before it starts; for calls whose answer is not awaited. */
  readonly collectMs?: number;
  /** Calls with a common key run in order, never two at once. */
  readonly keysOf?: (input: Input) => readonly string[];
  /** Kinds of calls are batched separately and have their own lanes. */
  readonly kinds?: readonly Kind[];
  readonly kindOf?: (input: Input) => Kind;
  /** Other work that a lane does between its batches, or alone when no call waits. */
  readonly between?: { isWanted(kind: Kind): boolean; run(kind: Kind): Promise<void> };
  /** Whether the calls of a failed batch of this size are retried one by one. */
  readonly retriesAlone?: (error: unknown, size: number) => boolean;
  /** The answers in the order of the inputs. */
  readonly run: (inputs: Input[], run: BatchRun<Kind>) => Promise<readonly Output[]>;
}

interface Call<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export function batch<Input, Output, Kind extends string = 'all'>(
  options: BatchOptions<Input, Output, Kind>,
): Batched<Input, Output> {
  const { lanes, most, collectMs = 0, kinds = ['all' as Kind], run, retriesAlone } = options;
  const { keysOf, kindOf, between } = options;
  type Item = Call<Input, Output>;

  async function attempt(calls: readonly Item[], kind: Kind, isRetry: boolean): Promise<void> {
    const outputs = await run(
      calls.map(({ input }) => input),
      { kind, isRetry },
    );
    for (const [at, { resolve, reject }] of calls.entries()) {
      if (at in outputs) resolve(outputs[at] as Output);
      else reject(new Error('a batched call has no answer'));
    }
  }

  async function answer(calls: readonly Item[], kind: Kind): Promise<void> {
    try {
      await attempt(calls, kind, false);
    } catch (error) {
      if (retriesAlone?.(error, calls.length) === true)
        for (const call of calls) await attempt([call], kind, true).catch(call.reject);
      else for (const { reject } of calls) reject(error);
    }
  }

  async function runBetween(calls: readonly Item[], kind: Kind): Promise<void> {
    if (calls.length > 0) await answer(calls, kind);
    if (between?.isWanted(kind) === true) await between.run(kind);
  }

  const queue = createLanes<Item, Kind>({
    kinds,
    lanes,
    most,
    run: between ? runBetween : answer,
    ...(keysOf && { keys: { of: ({ input }: Item) => keysOf(input), mayShareBatch: false } }),
    ...(kindOf && { kindOf: ({ input }: Item) => kindOf(input) }),
    ...(between && { isWanted: (kind: Kind) => between.isWanted(kind) }),
    ...(collectMs > 0 && { schedule: (start: () => void) => void setTimeout(start, collectMs) }),
  });

  const call = (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      queue.add({ input, resolve, reject });
    });
  const { start, flush, drain } = queue;
  return Object.assign(call, { waiting: () => queue.waiting, start, flush, drain });
}
