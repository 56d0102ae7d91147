import type { Message, MessageMetadata, MessagePart } from '../../contract/threads.ts';
import type { Queryable } from '../../store/database.ts';

interface MessageRow extends Record<string, unknown> {
  id: string;
  position: number;
  role: 'user' | 'assistant';
  parts: MessagePart[];
  metadata: MessageMetadata;
  created_at: Date;
}

export interface StoredMessage extends Message {
  readonly position: number;
}

/** The latest messages before a position, in order. */
export async function listMessages(
  db: Queryable,
  threadId: string,
  page: { before?: number | undefined; limit: number },
): Promise<StoredMessage[]> {
  const { rows } = await db.query<MessageRow>(
    'select id, position, role, parts, metadata, created_at from :schema.chat_message where thread_id = $1 and position < $2 order by position desc limit $3',
    [threadId, page.before ?? 2_147_483_647, page.limit],
  );
  return rows.toReversed().map(toMessage);
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

/** A user's message that the thread shows. */
export async function findQuestion(db: Queryable, threadId: string, id: string): Promise<StoredMessage | undefined> {
  const { rows } = await db.query<MessageRow>(
    "select id, position, role, parts, metadata, created_at from :schema.chat_message where thread_id = $1 and id = $2 and role = 'user'",
    [threadId, id],
  );
  return rows.map(toMessage)[0];
}

/** A question is asked again: how it failed before no longer matters. */
export async function repeatQuestion(db: Queryable, { id, metadata }: NewMessage): Promise<void> {
  await db.query("update :schema.chat_message set metadata = (metadata - 'error') || $2 where id = $1", [
    id,
    JSON.stringify(metadata),
  ]);
}

function toMessage({ id, position, role, parts, metadata, created_at }: MessageRow): StoredMessage {
  return { id, position, role, parts, metadata, createdAt: created_at.toISOString() };
}
