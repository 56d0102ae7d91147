// Attachments as rows. Every statement is scoped to the user, so another user's attachment never resolves.
import { AppError } from '../../base/errors.ts';
import { type FileParts, SHOWN_IMAGES } from '../../contract/attachments.ts';
import type { Queryable, Transaction } from '../../store/database.ts';

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** What a document consists of, if it is known. */
  readonly parts?: FileParts | undefined;
}

interface AttachmentRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  size: number;
  parts: FileParts | null;
}

export interface NewAttachment extends Attachment {
  readonly organizationId: string;
  readonly userId: string;
  readonly content: Buffer;
  /** Taken out of a document that no model takes as it is. */
  readonly text: string | undefined;
}

/** The bytes that a file takes, with the text that was taken out of it. */
export function storedBytes({ size, text = '' }: Pick<NewAttachment, 'size' | 'text'>): number {
  return size + Buffer.byteLength(text);
}

export async function insertAttachment(db: Queryable, attachment: NewAttachment): Promise<void> {
  const { id, organizationId, userId, name, type, size, parts, content, text } = attachment;
  await db.query(
    `insert into :schema.chat_attachment (id, organization_id, user_id, name, type, size, parts, content, text, text_bytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, organizationId, userId, name, type, size, parts, content, text, storedBytes(attachment) - size],
  );
}

/** Bytes that the user has uploaded but not sent. */
export async function unsentBytes(db: Queryable, organizationId: string, userId: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'select coalesce(sum(size), 0)::bigint as bytes from :schema.chat_attachment where organization_id = $1 and user_id = $2 and thread_id is null',
    [organizationId, userId],
  );
  return rows[0]?.bytes ?? 0;
}

export interface StoredFile extends Record<string, unknown> {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly size: number;
  readonly content: Buffer;
}

export async function getAttachment(db: Queryable, userId: string, id: string): Promise<StoredFile> {
  const { rows } = await db.query<StoredFile>(
    'select id, name, type, size, content from :schema.chat_attachment where id = $2 and user_id = $1',
    [userId, id],
  );
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

/** An image that a page may show; any other file of theirs does not exist here. */
export async function getImage(db: Queryable, userId: string, id: string): Promise<StoredFile> {
  const { rows } = await db.query<StoredFile>(
    'select id, name, type, size, content from :schema.chat_attachment where id = $2 and user_id = $1 and type = any($3)',
    [userId, id, SHOWN_IMAGES],
  );
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

export interface Claim {
  readonly userId: string;
  readonly organizationId: string;
  readonly threadId: string;
  readonly ids: readonly string[];
}

/** Attachments of user $1 in organization $2 that may be sent in thread $3, by ids $4. */
const CLAIMABLE = 'user_id = $1 and organization_id = $2 and id = any($4) and (thread_id is null or thread_id = $3)';

/** Attachments that can be sent in the thread, in the order given. */
export async function findAttachments(
  db: Queryable,
  { userId, organizationId, threadId, ids }: Claim,
): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<AttachmentRow>(
    `select id, name, type, size, parts from :schema.chat_attachment where ${CLAIMABLE}`,
    [userId, organizationId, threadId, ids],
  );
  return requireAll(rows, ids);
}

/** Ties attachments to the thread they are sent in. */
export async function claimAttachments(
  tx: Transaction,
  { userId, organizationId, threadId, ids }: Claim,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<AttachmentRow>(
    `update :schema.chat_attachment set thread_id = $3 where ${CLAIMABLE} returning id, name, type, size, parts`,
    [userId, organizationId, threadId, ids],
  );
  requireAll(rows, ids);
}

function requireAll(rows: readonly AttachmentRow[], ids: readonly string[]): Attachment[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const found = byId.get(id);
    if (!found)
      throw new AppError('invalid_request', {
        'message.attachments': `${id} is not an attachment you can send in this thread`,
      });
    const { parts, ...known } = found;
    return parts === null ? known : { ...known, parts };
  });
}

/** The content of an attachment that is in the thread or has not been sent yet; of an Office document, its text. */
export async function findContent(
  db: Queryable,
  { userId, organizationId, threadId }: Omit<Claim, 'ids'>,
  id: string,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ content: Buffer }>(
    `select coalesce(convert_to(text, 'UTF8'), content) as content from :schema.chat_attachment where ${CLAIMABLE}`,
    [userId, organizationId, threadId, [id]],
  );
  return rows[0]?.content;
}

/** Uploads older than a day that were never sent. */
export async function dropUnsent(db: Queryable): Promise<void> {
  await db.query(
    "delete from :schema.chat_attachment where thread_id is null and created_at < now() - interval '1 day'",
  );
}
