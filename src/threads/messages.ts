import type { Message, MessageMetadata, MessagePart } from '../contract/threads.ts';
import type { Queryable } from '../store/database.ts';
import { MESSAGE_PAGES, NO_BOUND, pageOf, pageValues } from './message-page.ts';

interface MessageRow extends Record<string, unknown> {
  id: string;
  position: number;
  role: 'user' | 'assistant';
  parts: MessagePart[];
  metadata: MessageMetadata;
  created_at: Date;
  whole_bytes?: number | null;
}

export interface StoredMessage extends Message {
  readonly position: number;
}

const COLUMNS = 'p.id, p.role, p.metadata, p.created_at';
const LATEST = pageOf(COLUMNS, 'select * from :schema.chat_message where thread_id = $1 and position < $2', 'last');
const EARLIEST = pageOf(COLUMNS, 'select * from :schema.chat_message where thread_id = $1 and position >= $2', 'first');

/** Where a page is: the latest messages, those before or after a position, or those around a message. */
export interface MessagesAt {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly around?: string | undefined;
  readonly limit: number;
}

/** A page of messages in order; a long one by its beginning. */
export async function listMessages(
  db: Queryable,
  threadId: string,
  { before = NO_BOUND, after, around, limit }: MessagesAt,
): Promise<StoredMessage[]> {
  const values = pageValues(limit, MESSAGE_PAGES.shown);
  if (around !== undefined) {
    const found = await findPosition(db, threadId, around);
    if (found !== undefined) return listAround(db, threadId, found, limit);
  }
  const { rows } =
    after === undefined
      ? await db.query<MessageRow>(LATEST, [threadId, before, ...values])
      : await db.query<MessageRow>(EARLIEST, [threadId, after + 1, ...values]);
  return rows.map(toMessage);
}

async function findPosition(db: Queryable, threadId: string, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ position: number }>(
    'select position from :schema.chat_message where thread_id = $1 and id = $2',
    [threadId, id],
  );
  return rows[0]?.position;
}

/** Half a page up to the message at a position, half a page after it. */
async function listAround(db: Queryable, threadId: string, at: number, limit: number): Promise<StoredMessage[]> {
  const upTo = Math.ceil(limit / 2);
  const from = [threadId, at + 1];
  const { rows: earlier } = await db.query<MessageRow>(LATEST, [...from, ...pageValues(upTo, MESSAGE_PAGES.half)]);
  if (limit === upTo) return earlier.map(toMessage);
  const { rows: later } = await db.query<MessageRow>(EARLIEST, [
    ...from,
    ...pageValues(limit - upTo, MESSAGE_PAGES.half),
  ]);
  return [...earlier, ...later].map(toMessage);
}

/** The position of the latest message; undefined if there is none. */
export async function findEnd(db: Queryable, threadId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ end: number | null }>(
    'select max(position) as end from :schema.chat_message where thread_id = $1',
    [threadId],
  );
  return rows[0]?.end ?? undefined;
}

/** The latest messages before a position whose texts fit, in order and whole. */
export async function listFitting(
  db: Queryable,
  threadId: string,
  { before, limit, textBytes }: { readonly before: number; readonly limit: number; readonly textBytes: number },
): Promise<StoredMessage[]> {
  const values = pageValues(limit, { ...MESSAGE_PAGES.model, sentBytes: textBytes });
  const { rows } = await db.query<MessageRow>(LATEST, [threadId, before, ...values]);
  return rows.map(toMessage);
}

const IN_ORDER = 50;

/** A whole conversation from its first message on, a page at a time. What is added meanwhile is left out. */
export async function* messagesInOrder(db: Queryable, threadId: string): AsyncGenerator<StoredMessage[]> {
  const end = (await findEnd(db, threadId)) ?? -1;
  for (let from = 0; from <= end;) {
    const { rows } = await db.query<MessageRow>(EARLIEST, [
      threadId,
      from,
      ...pageValues(IN_ORDER, MESSAGE_PAGES.whole),
    ]);
    const page = rows.map(toMessage).filter(({ position }) => position <= end);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    from = last.position + 1;
  }
}

/** A message that the thread shows, whole. */
export async function findMessage(db: Queryable, threadId: string, id: string): Promise<StoredMessage | undefined> {
  const { rows } = await db.query<MessageRow>(
    'select id, position, role, parts, metadata, created_at from :schema.chat_message where thread_id = $1 and id = $2',
    [threadId, id],
  );
  return rows.map(toMessage)[0];
}

export interface NewMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly metadata: MessageMetadata;
}

/** Appends a message. The lock on the thread's row keeps positions unique. */
export async function appendMessage(db: Queryable, threadId: string, message: NewMessage): Promise<void> {
  await db.query(
    `with t as (update :schema.chat_thread set messages = messages + 1, updated_at = now() where id = $1 returning messages)
     insert into :schema.chat_message (thread_id, position, id, role, parts, metadata) select $1, t.messages - 1, $2, $3, $4, $5 from t`,
    [threadId, message.id, message.role, JSON.stringify(message.parts), JSON.stringify(message.metadata)],
  );
}

/** Merges metadata into a message. */
export async function mergeMetadata(db: Queryable, messageId: string, metadata: MessageMetadata): Promise<void> {
  await db.query('update :schema.chat_message set metadata = metadata || $2 where id = $1', [
    messageId,
    JSON.stringify(metadata),
  ]);
}

/** An answer that was cut off does not count. */
export async function hasAnswer(db: Queryable, threadId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    "select exists (select 1 from :schema.chat_message where thread_id = $1 and role = 'assistant' and metadata->>'finish' is distinct from 'error') as found",
    [threadId],
  );
  return rows[0]?.found ?? false;
}

/** A question is asked again: how it failed before no longer matters. */
export async function repeatQuestion(db: Queryable, { id, metadata }: NewMessage): Promise<void> {
  await db.query("update :schema.chat_message set metadata = (metadata - 'error') || $2 where id = $1", [
    id,
    JSON.stringify(metadata),
  ]);
}

function toMessage({ id, position, role, parts, metadata, created_at, whole_bytes: whole }: MessageRow): StoredMessage {
  return {
    id,
    position,
    role,
    parts,
    metadata,
    createdAt: created_at.toISOString(),
    ...(typeof whole === 'number' ? { wholeBytes: whole } : {}),
  };
}
