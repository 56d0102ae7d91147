// Threads as rows. Every statement names the person: a thread of somebody else does not resolve.
import { AppError } from '../../base/errors.ts';
import type { Thread } from '../../contract/threads.ts';
import type { Queryable } from '../../store/database.ts';

interface ThreadRow extends Record<string, unknown> {
  id: string;
  title: string;
  workspace_id: string;
  organization_id: string;
  messages: number;
  created_at: Date;
  updated_at: Date;
}

export interface StoredThread extends Thread {
  readonly organizationId: string;
  readonly messages: number;
}

const COLUMNS = 't.id, t.title, t.workspace_id, t.organization_id, t.messages, t.created_at, t.updated_at';

export interface ThreadPage {
  readonly userId: string;
  readonly organization: string;
  readonly workspace?: string | undefined;
  readonly search?: string | undefined;
  readonly after?: { readonly updatedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Latest first; a page ends where the next begins, whatever is written meanwhile. */
export async function listThreads(db: Queryable, { userId, organization, workspace, search, after, limit }: ThreadPage): Promise<StoredThread[]> {
  const { rows } = await db.query<ThreadRow>(
    `select ${COLUMNS} from :schema.chat_thread t
       join :schema.organization o on o.id = t.organization_id and (o.id = $2 or o.slug = $2)
      where t.user_id = $1 and ($3::text is null or t.workspace_id = $3)
        and ($4::text is null or t.title ilike '%' || $4 || '%')
        and ($5::timestamptz is null or (t.updated_at, t.id) < ($5, $6))
      order by t.updated_at desc, t.id desc limit $7`,
    [userId, organization, workspace ?? null, search === undefined ? null : search.replace(/[\\%_]/g, '\\$&'), after?.updatedAt ?? null, after?.id ?? null, limit],
  );
  return rows.map(toThread);
}

export async function getThread(db: Queryable, userId: string, threadId: string): Promise<StoredThread> {
  const { rows } = await db.query<ThreadRow>(`select ${COLUMNS} from :schema.chat_thread t where t.id = $2 and t.user_id = $1`, [userId, threadId]);
  if (!rows[0]) throw new AppError('not_found');
  return toThread(rows[0]);
}

export async function insertThread(db: Queryable, thread: { id: string; organizationId: string; workspaceId: string; userId: string; title: string }): Promise<void> {
  await db.query('insert into :schema.chat_thread (id, organization_id, workspace_id, user_id, title) values ($1, $2, $3, $4, $5)', [thread.id, thread.organizationId, thread.workspaceId, thread.userId, thread.title]);
}

export async function renameThread(db: Queryable, userId: string, threadId: string, title: string): Promise<StoredThread> {
  const { rows } = await db.query<ThreadRow>(`update :schema.chat_thread t set title = $3, title_from = 'person' where t.id = $2 and t.user_id = $1 returning ${COLUMNS}`, [userId, threadId, title]);
  if (!rows[0]) throw new AppError('not_found');
  return toThread(rows[0]);
}

/** A title from a model; a person's own title stays. */
export async function titleThread(db: Queryable, threadId: string, title: string): Promise<void> {
  await db.query("update :schema.chat_thread set title = $2, title_from = 'model' where id = $1 and title_from = 'message'", [threadId, title]);
}

export async function removeThread(db: Queryable, userId: string, threadId: string): Promise<void> {
  const { rowCount } = await db.query('delete from :schema.chat_thread where id = $2 and user_id = $1', [userId, threadId]);
  if (rowCount === 0) throw new AppError('not_found');
}

function toThread(row: ThreadRow): StoredThread {
  return { id: row.id, title: row.title, workspace: row.workspace_id, organizationId: row.organization_id, messages: row.messages, createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() };
}
