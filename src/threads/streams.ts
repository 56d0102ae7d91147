// An answer in progress, as rows: claimed when a turn begins, fed in batches, closed once. Claiming and closing both
// lock the thread's row first, so they cannot deadlock.
import { newId } from '../base/ids.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { notify } from '../store/listen.ts';
import { type AnswerChunk, createPartCollector, endChunks, INTERRUPTED } from './encode-ui-stream.ts';
import { appendMessage } from './messages.ts';

/** Tells followers of a stream that there is more of it or that it has ended. The value is the stream's id. */
export const GROWN_TOPIC = 'chat-grown';
/** Tells the writer of a stream to check whether it is still wanted. The value is the thread's id. */
export const STOP_TOPIC = 'chat-stop';

export type StreamState = 'open' | 'stopping' | 'done';

/** A writer without a heartbeat for this long is dead. */
const DEAD_AFTER = "interval '30 seconds'";

export interface FoundStream {
  readonly id: string;
  readonly messageId: string;
  readonly state: StreamState;
  readonly dead: boolean;
}

interface StreamRow extends Record<string, unknown> {
  id: string;
  message_id: string;
  state: StreamState;
  dead: boolean;
}

/** The open stream of a thread, whether or not its writer is still alive. */
export async function findStream(db: Queryable, threadId: string): Promise<FoundStream | undefined> {
  const { rows } = await db.query<StreamRow>(
    `select id, message_id, state, alive_at < now() - ${DEAD_AFTER} as dead from :schema.chat_stream where thread_id = $1 and state <> 'done'`,
    [threadId],
  );
  return rows[0] && { id: rows[0].id, messageId: rows[0].message_id, state: rows[0].state, dead: rows[0].dead };
}

/** Runs in the transaction that has locked the thread, once no other stream of it is open. */
export async function claimStream(tx: Transaction, threadId: string): Promise<{ streamId: string; messageId: string }> {
  const claimed = { streamId: newId('str'), messageId: newId('msg') };
  await tx.query('delete from :schema.chat_stream where thread_id = $1', [threadId]);
  await tx.query("insert into :schema.chat_stream (thread_id, id, message_id, state) values ($1, $2, $3, 'open')", [
    threadId,
    claimed.streamId,
    claimed.messageId,
  ]);
  return claimed;
}

export interface Batch {
  readonly seq: number;
  readonly lines: readonly string[];
}

const FEED = `
with s as (update :schema.chat_stream set alive_at = now() where id = $1 returning id, state, followed_until > now() as followed),
     c as (insert into :schema.chat_stream_chunk (stream_id, seq, data) select s.id, $2, $3 from s where s.state <> 'done' and $3::text is not null)
select state, case when followed and $3::text is not null then pg_notify($4, $5) end from s`;

/** Adds a batch, or only a heartbeat. Undefined if the stream is gone. */
export async function feedStream(
  db: Database,
  streamId: string,
  batch: Batch | undefined,
): Promise<StreamState | undefined> {
  const { rows } = await db.query<{ state: StreamState }>(FEED, [
    streamId,
    batch?.seq ?? 0,
    batch?.lines.join('\n') ?? null,
    db.schema,
    `${GROWN_TOPIC} ${streamId}`,
  ]);
  return rows[0]?.state;
}

export interface Closing {
  readonly threadId: string;
  readonly streamId: string;
  /** Chunks not written yet. */
  readonly rest: Batch;
  /** Stores the rest of the turn together with the end of its stream, so that neither is visible without the other. */
  readonly store: (tx: Transaction) => Promise<void>;
}

/** False if another process closed it first or the thread is gone; nothing is stored then. */
export function closeStream(db: Database, closing: Closing): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('select 1 from :schema.chat_thread where id = $1 for no key update', [closing.threadId]);
    return closeLocked(db, tx, closing);
  });
}

async function closeLocked(db: Database, tx: Transaction, { streamId, rest, store }: Closing): Promise<boolean> {
  const { rowCount } = await tx.query(
    "update :schema.chat_stream set state = 'done', alive_at = now() where id = $1 and state <> 'done'",
    [streamId],
  );
  if (rowCount === 0) return false;
  if (rest.lines.length > 0)
    await tx.query('insert into :schema.chat_stream_chunk (stream_id, seq, data) values ($1, $2, $3)', [
      streamId,
      rest.seq,
      rest.lines.join('\n'),
    ]);
  await store(tx);
  await notify(tx, db, GROWN_TOPIC, streamId);
  return true;
}

/** Closes the stream of a dead process, in a transaction that has locked the thread. What it had written is kept. */
async function closeDead(
  db: Database,
  tx: Transaction,
  threadId: string,
  { id, messageId }: FoundStream,
): Promise<void> {
  const { rows } = await tx.query<{ seq: number; data: string }>(
    'select seq, data from :schema.chat_stream_chunk where stream_id = $1 order by seq',
    [id],
  );
  const lines = rows.flatMap(({ data }) => data.split('\n'));
  const chunks = lines.map((line) => JSON.parse(line) as AnswerChunk);
  const written = createPartCollector();
  for (const chunk of chunks) written.add(chunk);
  const begun = chunks.find((chunk) => chunk.type === 'start');
  const metadata = {
    ...begun?.messageMetadata,
    finish: 'error' as const,
    error: { ...INTERRUPTED, at: new Date().toISOString() },
  };
  const rest = { seq: lines.length, lines: endChunks(metadata).map((chunk) => JSON.stringify(chunk)) };
  await closeLocked(db, tx, {
    threadId,
    streamId: id,
    rest,
    store: () => appendMessage(tx, threadId, { id: messageId, role: 'assistant', parts: written.parts(), metadata }),
  });
}

/** The same outside a turn. */
export function closeIfDead(db: Database, threadId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('select 1 from :schema.chat_thread where id = $1 for no key update', [threadId]);
    const found = await findStream(tx, threadId);
    if (found?.dead) await closeDead(db, tx, threadId, found);
  });
}

/** Threads whose stream has a dead writer. */
export async function listDead(db: Queryable, most: number): Promise<string[]> {
  const { rows } = await db.query<{ thread_id: string }>(
    `select thread_id from :schema.chat_stream where state <> 'done' and alive_at < now() - ${DEAD_AFTER} order by alive_at limit $1`,
    [most],
  );
  return rows.map(({ thread_id }) => thread_id);
}

/** Ended streams are kept for a while for clients that are still reading them. */
export async function dropFinished(db: Queryable): Promise<void> {
  await db.query("delete from :schema.chat_stream where state = 'done' and alive_at < now() - interval '5 minutes'");
}
