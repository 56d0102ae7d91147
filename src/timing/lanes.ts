// Work that waits for a free lane. While all lanes are busy items collect, and the next batch takes as many as it may:
// the more load, the larger the batches; an item that is alone does not wait. Items that share a key are never under
// way in two batches at once, and are taken in the order in which they came.

export interface LaneOptions<Item, Kind extends string> {
  /** Kinds of items have lanes of their own; the order is the one in which they are started. */
  readonly kinds: readonly Kind[];
  readonly kindOf?: (item: Item) => Kind;
  /** How many batches of one kind may be under way at once. */
  readonly lanes: number | (() => number);
  /** How many items a batch may have. */
  readonly most: number | (() => number);
  /** What an item adds to the size of its batch, and how large that may become. One item is always taken. */
  readonly size?: { of(item: Item): number; readonly most: number };
  readonly keys?: ItemKeys<Item>;
  /** When the first batch leaves after an item came in; without it, at the end of the current turn of the event loop. */
  readonly schedule?: (start: () => void) => void;
  /** Whether a batch of this kind is wanted even if no item waits: `run` then gets an empty one. */
  readonly isWanted?: (kind: Kind) => boolean;
  /** Settles every item itself. */
  readonly run: (items: Item[], kind: Kind) => Promise<void>;
}

export interface ItemKeys<Item> {
  of(item: Item): Keys;
  /** Whether items with the same key may be in the same batch. */
  readonly mayShareBatch: boolean;
}

export interface Lanes<Item> {
  readonly waiting: number;
  add(item: Item): void;
  /** Starts what may start, without waiting for the scheduled moment. */
  start(): void;
  /** Starts what was added until now and waits for it. False when there was nothing. */
  flush(): Promise<boolean>;
  /** Waits for everything that was added, and is added meanwhile. */
  drain(): Promise<void>;
}

export function createLanes<Item, Kind extends string>(options: LaneOptions<Item, Kind>): Lanes<Item> {
  const { kinds, lanes, most, size, keys, run, isWanted } = options;
  const schedule = options.schedule ?? setImmediate;
  const busyKeys = new Set<string>();
  const running = new Set<Promise<void>>();
  const runningOf = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  let waiting: Item[] = [];
  let isScheduled = false;

  function start(): void {
    for (const kind of kinds) {
      while ((runningOf.get(kind) ?? 0) < valueOf(lanes)) {
        const batch = waiting.length === 0 ? [] : take(kind);
        if (batch.length === 0 && isWanted?.(kind) !== true) break;
        launch(batch, kind);
      }
    }
  }

  function launch(batch: Item[], kind: Kind): void {
    runningOf.set(kind, (runningOf.get(kind) ?? 0) + 1);
    const work = run(batch, kind).finally(() => {
      running.delete(work);
      runningOf.set(kind, (runningOf.get(kind) ?? 1) - 1);
      if (keys) for (const item of batch) deleteAll(busyKeys, keys.of(item));
      start();
    });
    running.add(work);
  }

  function take(kind: Kind): Item[] {
    if (keys || options.kindOf) return takeFree(kind);
    return waiting.splice(0, size ? countWithin(size) : valueOf(most));
  }

  function countWithin({ of, most: sizeMost }: NonNullable<typeof size>): number {
    const end = Math.min(waiting.length, valueOf(most));
    let total = 0;
    for (let count = 0; count < end; count++) {
      total += of(waiting[count] as Item);
      if (total > sizeMost && count > 0) return count;
    }
    return end;
  }

  /** An item that is passed over keeps the later ones with its keys waiting. */
  function takeFree(kind: Kind): Item[] {
    const mostNow = valueOf(most);
    const taken: Item[] = [];
    const rest: Item[] = [];
    const passedOver = new Set<string>();
    const takenKeys = keys?.mayShareBatch === true ? new Set<string>() : busyKeys;
    for (const item of waiting) {
      const names = keys?.of(item) ?? NO_KEYS;
      const isFree =
        taken.length < mostNow &&
        (options.kindOf === undefined || options.kindOf(item) === kind) &&
        !hasAny(busyKeys, names) &&
        !hasAny(passedOver, names);
      (isFree ? taken : rest).push(item);
      addAll(isFree ? takenKeys : passedOver, names);
    }
    if (takenKeys !== busyKeys) for (const key of takenKeys) busyKeys.add(key);
    waiting = rest;
    return taken;
  }

  /** Where it may not, the end of a batch looks again. */
  function mayStart(item: Item): boolean {
    const kind = options.kindOf?.(item) ?? kinds[0];
    if (kind !== undefined && (runningOf.get(kind) ?? 0) >= valueOf(lanes)) return false;
    return !keys || !hasAny(busyKeys, keys.of(item));
  }

  function leave(): void {
    isScheduled = false;
    start();
  }

  return {
    get waiting() {
      return waiting.length;
    },
    add(item) {
      waiting.push(item);
      if (isScheduled || !mayStart(item)) return;
      isScheduled = true;
      schedule(leave);
    },
    start,
    async flush() {
      if (running.size === 0 && waiting.length === 0) return false;
      const last = waiting.at(-1);
      const isWaiting = (): boolean => last !== undefined && waiting.includes(last);
      start();
      while (isWaiting()) await Promise.race(running);
      await Promise.all(running);
      return true;
    },
    async drain() {
      start();
      while (running.size > 0 || waiting.length > 0) {
        await Promise.all(running);
        start();
      }
    },
  };
}

function valueOf(number: number | (() => number)): number {
  return typeof number === 'number' ? number : number();
}

type Keys = string | readonly string[];
const NO_KEYS: readonly string[] = [];

// A single key is not wrapped in a list: an item is looked at each time that a batch is taken.
function hasAny(set: ReadonlySet<string>, keys: Keys): boolean {
  return typeof keys === 'string' ? set.has(keys) : keys.some((key) => set.has(key));
}

function addAll(set: Set<string>, keys: Keys): void {
  if (typeof keys === 'string') set.add(keys);
  else for (const key of keys) set.add(key);
}

function deleteAll(set: Set<string>, keys: Keys): void {
  if (typeof keys === 'string') set.delete(keys);
  else for (const key of keys) set.delete(key);
}
