// Follows a stream to its end, from its start or from where a client left off, whichever process writes it. The rows
// are authoritative; a notification only says that there may be more of them.
import type { Database, Queryable } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
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
const SIGN_OF_LIFE_MS = 15_000;

/** `undefined` after a quiet period. */
export async function* followStream({
  db,
  listener,
  threadId,
  streamId,
  from,
  signal,
}: FollowOptions): AsyncGenerator<FollowedChunk | undefined> {
  let grown = false;
  let wake = (): void => {};
  const unsubscribe = listener?.subscribe(
    GROWN_TOPIC,
    () => {
      grown = true;
      wake();
    },
    streamId,
  );
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  let saidAt = -Infinity;
  let yieldedAt = performance.now();
  try {
    for (let next = from; !signal.aborted;) {
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        await announceFollower(db, streamId);
        saidAt = performance.now();
      }
      grown = false;
      const page = await readPage(db, streamId, next);
      for (const chunk of page.chunks) {
        yield chunk;
        next = chunk.seq + 1;
        yieldedAt = performance.now();
      }
      if (page.full) continue;
      if (page.state === undefined || page.state === 'done') return;
      if (page.dead) await closeIfDead(db, threadId);
      else if (!grown) await quietFor(listener ? LOOK_EVERY_MS.heard : LOOK_EVERY_MS.unheard);
      if (performance.now() - yieldedAt > SIGN_OF_LIFE_MS) {
        yield undefined;
        yieldedAt = performance.now();
      }
    }
  } finally {
    unsubscribe?.();
    signal.removeEventListener('abort', onAbort);
  }

  function quietFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (grown || signal.aborted) wake();
    });
  }
}

interface Page {
  readonly state: StreamState | undefined;
  readonly dead: boolean;
  readonly chunks: readonly FollowedChunk[];
  readonly full: boolean;
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
  return {
    state: rows[0]?.state,
    dead: rows[0]?.dead ?? false,
    chunks: chunks.filter(({ seq }) => seq >= from),
    full: rows.length === PAGE,
  };
}

async function announceFollower(db: Queryable, streamId: string): Promise<void> {
  await db.query(
    "update :schema.chat_stream set followed_until = now() + interval '10 seconds' where id = $1 and state <> 'done' and followed_until < now() + interval '6 seconds'",
    [streamId],
  );
}
