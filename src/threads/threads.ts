// Threads as rows. Every statement is scoped to the user and checks that they are still in the thread's organization:
// another user's thread, or one of an organization they have left, does not resolve.
import { AppError } from '../base/errors.ts';
import type { ImportSource } from '../contract/imports/import-words.ts';
import type { Thread } from '../contract/threads.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { getUsableProject } from '../documents/projects/projects.ts';

export interface ThreadRow extends Record<string, unknown> {
  id: string;
  title: string;
  workspace_id: string;
  organization_id: string;
  workspace_picked: boolean;
  title_from: 'message' | 'model' | 'person';
  messages: number;
  created_at: Date;
  updated_at: Date;
  pinned: boolean;
  archived: boolean;
  shared: boolean;
  project_id: string | null;
  imported_from: ImportSource | null;
}

export interface StoredThread extends Thread {
  readonly organizationId: string;
  /** False once a model or the user has named it. */
  readonly wantsTitle: boolean;
  readonly messages: number;
}

/** Thread $2 of user $1. */
const OWN =
  't.id = $2 and t.user_id = $1 and exists (select 1 from :schema.acting_member m where m.organization_id = t.organization_id and m.user_id = t.user_id)';
export const COLUMNS = `t.id, t.title, t.title_from, t.workspace_id, t.workspace_picked, t.organization_id, t.messages, t.created_at, t.updated_at, t.project_id,
  t.pinned_at is not null as pinned, t.archived_at is not null as archived, exists (select 1 from :schema.chat_share h where h.thread_id = t.id) as shared,
  (select m.source from :schema.chat_imported m where m.thread_id = t.id) as imported_from`;

export interface ThreadPage {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspace?: string | undefined;
  readonly search?: string | undefined;
  readonly show: 'active' | 'archived' | 'all';
  readonly project?: string | undefined;
  readonly after?: { readonly pinned: boolean; readonly updatedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Pinned ones, then the others, each latest first; a page ends where the next one begins, regardless of concurrent writes. */
export async function listThreads(
  db: Queryable,
  { userId, organizationId, workspace, search, show, project, after, limit }: ThreadPage,
): Promise<StoredThread[]> {
  const { rows } = await db.query<ThreadRow>(
    `select ${COLUMNS} from :schema.chat_thread t
      where t.user_id = $1 and t.organization_id = $2
        and ($3::text is null or exists (select from :schema.workspace w where w.id = t.workspace_id and (w.id = $3 or w.slug = $3)))
        and ($4::text is null or t.title ilike '%' || $4 || '%')
        and ($5::text = 'all' or (t.archived_at is not null) = ($5 = 'archived'))
        and ($6::timestamptz is null or (t.pinned_at is not null, t.updated_at, t.id) < ($8, $6, $7))
        and ($10::text is null or t.project_id = $10)
      order by t.pinned_at is not null desc, t.updated_at desc, t.id desc limit $9`,
    [
      userId,
      organizationId,
      workspace ?? null,
      search === undefined ? null : search.replace(/[\\%_]/g, '\\$&'),
      show,
      after?.updatedAt ?? null,
      after?.id ?? null,
      after?.pinned ?? false,
      limit,
      project ?? null,
    ],
  );
  return rows.map(toThread);
}

export async function getThread(db: Queryable, userId: string, threadId: string): Promise<StoredThread> {
  const { rows } = await db.query<ThreadRow>(`select ${COLUMNS} from :schema.chat_thread t where ${OWN}`, [
    userId,
    threadId,
  ]);
  if (!rows[0]) throw new AppError('not_found');
  return toThread(rows[0]);
}

/** The thread, locked until the transaction ends: only one turn at a time begins or ends in it. */
export async function lockThread(tx: Transaction, userId: string, threadId: string): Promise<StoredThread> {
  const { rows } = await tx.query<ThreadRow>(
    `select ${COLUMNS} from :schema.chat_thread t where ${OWN} for no key update`,
    [userId, threadId],
  );
  if (!rows[0]) throw new AppError('not_found');
  return toThread(rows[0]);
}

export interface NewThread {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly workspacePicked: boolean;
  readonly userId: string;
  readonly title: string;
  readonly projectId?: string | undefined;
}

/** A project that was deleted meanwhile, or is in another workspace, is left out. */
export async function insertThread(db: Queryable, thread: NewThread): Promise<void> {
  await db.query(
    `insert into :schema.chat_thread (id, organization_id, workspace_id, workspace_picked, user_id, title, project_id)
     values ($1, $2, $3, $4, $5, $6, (select p.id from :schema.project p where p.id = $7 and p.organization_id = $2 and p.workspace_id = $3))`,
    [
      thread.id,
      thread.organizationId,
      thread.workspaceId,
      thread.workspacePicked,
      thread.userId,
      thread.title,
      thread.projectId ?? null,
    ],
  );
}

export interface ThreadChange {
  readonly title?: string | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  /** Null takes it out of its project. */
  readonly project?: string | null | undefined;
}

/** Omitted fields stay as they are. */
export async function changeThread(
  db: Queryable,
  userId: string,
  threadId: string,
  { title, pinned, archived, project }: ThreadChange,
): Promise<StoredThread> {
  if (typeof project === 'string') await requireProject(db, userId, threadId, project);
  const { rows } = await db.query<ThreadRow>(
    `update :schema.chat_thread t set
       title = coalesce($3, t.title), title_from = case when $3::text is null then t.title_from else 'person' end,
       pinned_at = case when $4::boolean is null then t.pinned_at when $4 then coalesce(t.pinned_at, now()) end,
       archived_at = case when $5::boolean is null then t.archived_at when $5 then coalesce(t.archived_at, now()) end,
       project_id = case when $6 then (select p.id from :schema.project p where p.id = $7 and p.organization_id = t.organization_id and p.workspace_id = t.workspace_id) else t.project_id end
      where ${OWN} returning ${COLUMNS}`,
    [userId, threadId, title ?? null, pinned ?? null, archived ?? null, project !== undefined, project ?? null],
  );
  if (!rows[0]) throw new AppError('not_found');
  return toThread(rows[0]);
}

/** A thread never leaves its workspace, so only projects of that one take it, if its owner may use them. */
async function requireProject(db: Queryable, userId: string, threadId: string, projectId: string): Promise<void> {
  const thread = await getThread(db, userId, threadId);
  const { organization, workspace } = await getUsableProject(db, userId, projectId);
  if (organization !== thread.organizationId) throw new AppError('not_found');
  if (workspace !== thread.workspace) throw new AppError('invalid_request', { project: 'is in another workspace' });
}

/** Sets a title from a model; a user's own title is kept. */
export async function titleThread(db: Queryable, threadId: string, title: string): Promise<void> {
  await db.query(
    "update :schema.chat_thread set title = $2, title_from = 'model' where id = $1 and title_from = 'message'",
    [threadId, title],
  );
}

export async function removeThread(db: Queryable, userId: string, threadId: string): Promise<void> {
  const { rowCount } = await db.query(`delete from :schema.chat_thread t where ${OWN}`, [userId, threadId]);
  if (rowCount === 0) throw new AppError('not_found');
}

/** Returns those that existed. */
export async function removeThreads(
  db: Queryable,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  threadIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'delete from :schema.chat_thread t where t.id = any($3::text[]) and t.user_id = $1 and t.organization_id = $2 returning t.id',
    [userId, organizationId, threadIds],
  );
  return rows.map(({ id }) => id);
}

export function toThread(row: ThreadRow): StoredThread {
  return {
    id: row.id,
    title: row.title,
    workspace: row.workspace_id,
    organizationId: row.organization_id,
    wantsTitle: row.title_from === 'message',
    messages: row.messages,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.workspace_picked ? { workspacePicked: true } : {}),
    ...(row.pinned ? { pinned: true } : {}),
    ...(row.archived ? { archived: true } : {}),
    ...(row.shared ? { shared: true } : {}),
    ...(row.project_id === null ? {} : { project: row.project_id }),
    ...(row.imported_from === null ? {} : { importedFrom: row.imported_from }),
  };
}
