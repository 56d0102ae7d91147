// Follows a stream to its end, from its start or from where a client left off, whichever process writes it. The rows
// are authoritative; a notification only says that there may be more of them.
import type { Database, Queryable } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { follow } from '../timing/follow.ts';
import { closeIfDead, GROWN_TOPIC, type StreamState } from './streams.ts';

export interface FollowOptions {
  readonly db: Database;
  /** Without notifications the rows are polled more often. */
  readonly listener: Listener | undefined;
  readonly threadId: string;
  readonly streamId: string;
  /** The first chunk to return. */
  readonly from: number;
  readonly signal: AbortSignal;
}

export interface FollowedChunk {
  readonly seq: number;
  readonly line: string;
}

const PAGE = 200;
const LOOK_EVERY_MS = { heard: 1_000, unheard: 200 } as const;
/** A stream is announced only while someone follows it, so followers renew their interest. */
const SAY_EVERY_MS = 4_000;
const KEEP_ALIVE_MS = 15_000;

/** `undefined` after a quiet period. */
export function followStream({
  db,
  listener,
  threadId,
  streamId,
  from,
  signal,
}: FollowOptions): AsyncGenerator<FollowedChunk | undefined, void, undefined> {
  let saidAt = -Infinity;
  return follow({
    from,
    signal,
    lookEveryMs: listener ? LOOK_EVERY_MS.heard : LOOK_EVERY_MS.unheard,
    quietMs: KEEP_ALIVE_MS,
    subscribe: (notice) => listener?.subscribe(GROWN_TOPIC, notice, streamId) ?? (() => {}),
    async readSince(at) {
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        await announceFollower(db, streamId);
        saidAt = performance.now();
      }
      const { chunks, isFull, isOver, isDead } = await readPage(db, streamId, at);
      const cursor = (chunks.at(-1)?.seq ?? at - 1) + 1;
      if (!isFull && isOver) return { items: chunks, cursor, next: 'end' };
      // Its end is in the next page.
      if (!isFull && isDead) await closeIfDead(db, threadId);
      return { items: chunks, cursor, next: isFull || isDead ? 'read' : undefined };
    },
  });
}

interface Page {
  readonly chunks: readonly FollowedChunk[];
  readonly isFull: boolean;
  readonly isOver: boolean;
  readonly isDead: boolean;
}

// The batch with the wanted chunk is the last one that starts at or before it.
const READ = `
select s.state, s.alive_at < now() - interval '30 seconds' as dead, c.seq, c.data
  from :schema.chat_stream s
  left join :schema.chat_stream_chunk c on c.stream_id = s.id
   and c.seq >= coalesce((select max(b.seq) from :schema.chat_stream_chunk b where b.stream_id = s.id and b.seq <= $2), 0)
 where s.id = $1 order by c.seq limit ${PAGE}`;

async function readPage(db: Queryable, streamId: string, from: number): Promise<Page> {
  const { rows } = await db.query<{ state: StreamState; dead: boolean; seq: number | null; data: string | null }>(
    READ,
    [streamId, from],
  );
  const chunks = rows.flatMap(({ seq, data }) =>
    data === null ? [] : data.split('\n').map((line, index) => ({ seq: (seq ?? 0) + index, line })),
  );
  const [first] = rows;
  return {
    chunks: chunks.filter(({ seq }) => seq >= from),
    isFull: rows.length === PAGE,
    isOver: first === undefined || first.state === 'done',
    isDead: first?.dead ?? false,
  };
}

async function announceFollower(db: Queryable, streamId: string): Promise<void> {
  await db.query(
    "update :schema.chat_stream set followed_until = now() + interval '10 seconds' where id = $1 and state <> 'done' and followed_until < now() + interval '6 seconds'",
    [streamId],
  );
}
