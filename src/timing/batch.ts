// Calls of one moment as one: those of the same turn of the event loop are batched, and so are those that arrive while
// a batch is under way. Where a batch fails as a whole for a reason that may lie in one of its calls, each is made again
// by itself, so that one bad call does not fail the others.
import { createLanes } from './lanes.ts';

export interface Batched<Input, Output> {
  (input: Input): Promise<Output>;
  waiting(): number;
  /** Starts what may start, without waiting for the scheduled moment. */
  start(): void;
  /** Starts what was handed in until now and waits for it. False when there was nothing. */
  flush(): Promise<boolean>;
  /** Waits for everything that was handed in, and is handed in meanwhile. */
  drain(): Promise<void>;
}

export interface BatchRun<Kind> {
  readonly kind: Kind;
  /** Whether this is one call of a batch that failed. */
  readonly isRetry: boolean;
}

export interface BatchOptions<Input, Output, Kind extends string> {
  /** How many batches of one kind may be under way at once. */
  readonly lanes: number;
  readonly most: number;
  /** For how long a batch collects before it leaves, where nothing waits for the answer. */
  readonly collectMs?: number;
  /** Calls with a common key are made in order, never two at once. */
  readonly keysOf?: (input: Input) => readonly string[];
  /** Kinds of calls are batched apart and have lanes of their own. */
  readonly kinds?: readonly Kind[];
  readonly kindOf?: (input: Input) => Kind;
  readonly isWanted?: (kind: Kind) => boolean;
  /** Whether the calls of a failed batch of this size are made again, one by one. */
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
  const { keysOf, kindOf, isWanted } = options;
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

  async function runBatch(calls: readonly Item[], kind: Kind): Promise<void> {
    try {
      await attempt(calls, kind, false);
    } catch (error) {
      if (retriesAlone?.(error, calls.length) === true)
        for (const call of calls) await attempt([call], kind, true).catch(call.reject);
      else for (const { reject } of calls) reject(error);
    }
  }

  const queue = createLanes<Item, Kind>({
    kinds,
    lanes,
    most,
    run: runBatch,
    ...(keysOf && { keys: { of: ({ input }: Item) => keysOf(input), mayShareBatch: false } }),
    ...(kindOf && { kindOf: ({ input }: Item) => kindOf(input) }),
    ...(isWanted && { isWanted }),
    ...(collectMs > 0 && { schedule: (start: () => void) => void setTimeout(start, collectMs) }),
  });

  const call = (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      queue.add({ input, resolve, reject });
    });
  const { start, flush, drain } = queue;
  return Object.assign(call, { waiting: () => queue.waiting, start, flush, drain });
}
