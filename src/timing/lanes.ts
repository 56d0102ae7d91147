// Batches items over a limited number of lanes. While all lanes are busy, items collect, and the next batch takes as many as
// allowed: the higher the load, the larger the batches, while a lone item does not wait. Items with a common key are never
// in two batches at once, and are taken in order of arrival.

export interface LaneOptions<Item, Kind extends string> {
  /** Each kind of item has its own lanes; batches are started in this order. */
  readonly kinds: readonly Kind[];
  readonly kindOf?: (item: Item) => Kind;
  /** How many batches of one kind may be under way at once. */
  readonly lanes: number | (() => number);
  /** How many items a batch may have. */
  readonly most: number | (() => number);
  /** The size of an item, and the most that a batch may add up to; at least one item is taken. Not with keys. */
  readonly size?: { of(item: Item): number; readonly most: number };
  readonly keys?: ItemKeys<Item>;
  /** When a batch starts after an item was added; by default, at the end of the current turn of the event loop. */
  readonly schedule?: (start: () => void) => void;
  /** Whether to run a batch of this kind even if no item waits: `run` then gets an empty one. */
  readonly isWanted?: (kind: Kind) => boolean;
  /** Must settle every item itself. */
  readonly run: (items: Item[], kind: Kind) => Promise<void>;
}

interface ItemKeys<Item> {
  of(item: Item): Keys;
  /** Whether items with the same key may be in the same batch. */
  readonly mayShareBatch: boolean;
}

export interface Lanes<Item> {
  readonly waiting: number;
  add(item: Item): void;
  /** Starts what may start, without waiting for the schedule. */
  start(): void;
  /** Starts the items added so far and waits for them. False if there were none. */
  flush(): Promise<boolean>;
  /** Waits for all items, including those added in the meantime. */
  drain(): Promise<void>;
}

export function createLanes<Item, Kind extends string>(options: LaneOptions<Item, Kind>): Lanes<Item> {
  const { kinds, lanes, run, isWanted } = options;
  const schedule = options.schedule ?? setImmediate;
  const line = createLine(options);
  const running = new Set<Promise<void>>();
  const runningOf = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  let isScheduled = false;

  const isFull = (kind: Kind): boolean => (runningOf.get(kind) ?? 0) >= valueOf(lanes);

  function start(): void {
    for (const kind of kinds) {
      while (!isFull(kind)) {
        const batch = line.length === 0 ? [] : line.take(kind);
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
      line.release(batch);
      start();
    });
    running.add(work);
  }

  /** If not, the end of a batch tries again. */
  function mayStart(item: Item): boolean {
    const kind = options.kindOf?.(item) ?? kinds[0];
    return !(kind !== undefined && isFull(kind)) && !line.isBlocked(item);
  }

  function leave(): void {
    isScheduled = false;
    start();
  }

  return {
    get waiting() {
      return line.length;
    },
    add(item) {
      line.add(item);
      if (isScheduled || !mayStart(item)) return;
      isScheduled = true;
      schedule(leave);
    },
    start,
    async flush() {
      if (running.size === 0 && line.length === 0) return false;
      const isWaiting = line.watchLast();
      start();
      while (isWaiting()) await Promise.race(running);
      await Promise.all(running);
      return true;
    },
    async drain() {
      start();
      while (running.size > 0 || line.length > 0) {
        await Promise.all(running);
        start();
      }
    },
  };
}

interface Line<Item, Kind> {
  readonly length: number;
  add(item: Item): void;
  /** The items of the next batch of this kind; their keys are busy until the batch is released. */
  take(kind: Kind): Item[];
  release(batch: readonly Item[]): void;
  /** Whether an item with one of its keys is under way. */
  isBlocked(item: Item): boolean;
  /** Returns a check whether the item that is last now still waits. */
  watchLast(): () => boolean;
}

type LineOptions<Item, Kind extends string> = Pick<LaneOptions<Item, Kind>, 'kindOf' | 'most' | 'size' | 'keys'>;

function createLine<Item, Kind extends string>(options: LineOptions<Item, Kind>): Line<Item, Kind> {
  const { kindOf, most, size, keys } = options;
  const busyKeys = new Set<string>();
  let waiting: Item[] = [];

  function countWithin({ of, most: sizeMost }: NonNullable<typeof size>): number {
    const end = Math.min(waiting.length, valueOf(most));
    let total = 0;
    for (let count = 0; count < end; count++) {
      total += of(waiting[count] as Item);
      if (total > sizeMost && count > 0) return count;
    }
    return end;
  }

  /** An item that is skipped also holds back later ones with the same keys. */
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
        (kindOf === undefined || kindOf(item) === kind) &&
        !hasAny(busyKeys, names) &&
        !hasAny(passedOver, names);
      (isFree ? taken : rest).push(item);
      addAll(isFree ? takenKeys : passedOver, names);
    }
    if (takenKeys !== busyKeys) for (const key of takenKeys) busyKeys.add(key);
    waiting = rest;
    return taken;
  }

  return {
    get length() {
      return waiting.length;
    },
    add: (item) => void waiting.push(item),
    take(kind) {
      if (keys || kindOf) return takeFree(kind);
      return waiting.splice(0, size ? countWithin(size) : valueOf(most));
    },
    release(batch) {
      if (keys) for (const item of batch) deleteAll(busyKeys, keys.of(item));
    },
    isBlocked: (item) => keys !== undefined && hasAny(busyKeys, keys.of(item)),
    watchLast() {
      const last = waiting.at(-1);
      return () => last !== undefined && waiting.includes(last);
    },
  };
}

function valueOf(number: number | (() => number)): number {
  return typeof number === 'number' ? number : number();
}

type Keys = string | readonly string[];
const NO_KEYS: readonly string[] = [];

// A single key is not wrapped in a list: this runs for each waiting item whenever a batch is taken.
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
