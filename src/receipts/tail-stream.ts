import type { Listener } from '../store/listen.ts';
import type { Queryable } from '../store/database.ts';
import { follow, type FollowOptions } from '../timing/follow.ts';
import { APPENDED_TOPIC } from './announce-appends.ts';
import { readStream } from './read-stream.ts';
import type { LinkedReceipt } from './receipt.ts';

export interface TailOptions extends Pick<
  FollowOptions<LinkedReceipt, number>,
  'from' | 'signal' | 'lookEveryMs' | 'mayTell'
> {
  readonly db: Queryable;
  readonly listener: Listener;
  readonly stream: string;
}

const PAGE = 200;

/** Receipts from an index on, then each new one as it is appended, until the signal; `undefined` after a quiet period. */
export function tailStream({
  db,
  listener,
  stream,
  ...options
}: TailOptions): AsyncGenerator<LinkedReceipt | undefined, void, undefined> {
  return follow({
    ...options,
    subscribe: (notice) => listener.subscribe(APPENDED_TOPIC, notice, stream),
    async readSince(from) {
      const items = await readStream(db, stream, from, PAGE);
      return { items, cursor: (items.at(-1)?.index ?? from - 1) + 1, next: items.length === PAGE ? 'read' : undefined };
    },
  });
}
