// A conversation shared with its workspace by a link. The link shows a copy, made when the owner shares it or brings it up
// to date. Who opens it has to be a member of the workspace at that moment, and the organization has to allow sharing:
// both are part of the statement that finds the copy, so there is no other way to it.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { OwnShare } from '../../contract/share-of-thread.ts';
import type { SharedSource, SharedThread } from '../../contract/shares.ts';
import type { MessagePart } from '../../contract/threads.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { messagesInOrder } from './messages-in-order.ts';
import type { StoredMessage } from './messages.ts';
import { lockThread } from './threads.ts';

interface OwnRow extends Record<string, unknown> {
  id: string | null;
  messages: number;
  created_at: Date;
  updated_at: Date;
  is_member: boolean;
  is_disabled: boolean;
}

export interface FoundShare {
  readonly share: OwnShare | undefined;
  readonly blocked: 'sharing_disabled' | 'workspace_membership_required' | undefined;
}

/** The link of a person's thread, and whether there can be one now. */
export async function findShare(db: Queryable, userId: string, threadId: string): Promise<FoundShare> {
  const { rows } = await db.query<OwnRow>(
    `select s.id, s.messages, s.created_at, s.updated_at, coalesce(v.is_member, false) as is_member, coalesce(p.disable_sharing, false) as is_disabled
       from :schema.chat_thread t
       join :schema.organization_member o on o.organization_id = t.organization_id and o.user_id = t.user_id
       left join :schema.member_workspace v on v.workspace_id = t.workspace_id and v.user_id = t.user_id
       left join :schema.org_policy p on p.organization_id = t.organization_id
       left join :schema.chat_share s on s.thread_id = t.id
      where t.id = $2 and t.user_id = $1`,
    [userId, threadId],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  const { id, messages, created_at: createdAt, updated_at: updatedAt } = row;
  return {
    share:
      id === null
        ? undefined
        : { id, messages, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    blocked: row.is_disabled ? 'sharing_disabled' : row.is_member ? undefined : 'workspace_membership_required',
  };
}

/** Makes the link, or brings its copy up to date. */
export function saveShare(
  db: Database,
  user: { readonly id: string; readonly name: string },
  threadId: string,
): Promise<OwnShare> {
  return db.transaction(async (tx) => {
    const thread = await lockThread(tx, user.id, threadId);
    const { blocked, share } = await findShare(tx, user.id, threadId);
    if (blocked) throw new AppError(blocked);
    const id = share?.id ?? newId('shr');
    await tx.query(
      `insert into :schema.chat_share (id, thread_id, organization_id, workspace_id, shared_by, title, messages) values ($1, $2, $3, $4, $5, $6, 0)
         on conflict (thread_id) do update set shared_by = excluded.shared_by, title = excluded.title`,
      [id, threadId, thread.organizationId, thread.workspace, user.name, thread.title],
    );
    await tx.query('delete from :schema.chat_share_message where share_id = $1', [id]);
    let messages = 0;
    for await (const page of messagesInOrder(tx, threadId)) {
      await copyMessages(tx, id, page, messages);
      messages += page.length;
    }
    await tx.query('update :schema.chat_share set messages = $2, updated_at = now() where id = $1', [id, messages]);
    const { share: saved } = await findShare(tx, user.id, threadId);
    if (!saved) throw new Error('the share was not saved');
    return saved;
  });
}

async function copyMessages(
  tx: Transaction,
  shareId: string,
  messages: readonly StoredMessage[],
  from: number,
): Promise<void> {
  const rows = messages.map(({ id, role, parts, metadata, createdAt }, index) => ({
    position: from + index,
    id,
    role,
    parts: parts.filter(({ type }) => type !== 'reasoning'),
    model: metadata.model,
    sources: metadata.sources?.map(({ number, name }) => ({ number, name })),
    created_at: createdAt,
  }));
  await tx.query(
    `insert into :schema.chat_share_message (share_id, position, id, role, parts, model, sources, created_at)
       select $1, r.position, r.id, r.role, r.parts, r.model, r.sources, r.created_at
         from jsonb_to_recordset($2::jsonb) as r (position int, id text, role text, parts jsonb, model text, sources jsonb, created_at timestamptz)`,
    [shareId, JSON.stringify(rows)],
  );
}

export async function removeShare(db: Queryable, userId: string, threadId: string): Promise<void> {
  const { rowCount } = await db.query(
    'delete from :schema.chat_share s using :schema.chat_thread t where s.thread_id = t.id and t.id = $2 and t.user_id = $1',
    [userId, threadId],
  );
  if (rowCount === 0) throw new AppError('not_found');
}

interface SharedRow extends Record<string, unknown> {
  title: string;
  organization_id: string;
  workspace_id: string;
  shared_by: string;
  updated_at: Date;
  position: number | null;
  message_id: string;
  role: 'user' | 'assistant';
  parts: MessagePart[];
  model: string | null;
  sources: SharedSource[] | null;
  created_at: Date;
}

interface CopiedMessage extends StoredMessage {
  readonly sources?: SharedSource[];
}

export interface SharedPage extends Omit<SharedThread, 'messages'> {
  readonly messages: readonly CopiedMessage[];
}

/** What the link shows to a member of its workspace; to everyone else it does not exist. */
export async function openShare(
  db: Queryable,
  userId: string,
  { shareId, before, limit }: { readonly shareId: string; readonly before: number | undefined; readonly limit: number },
): Promise<SharedPage> {
  const { rows } = await db.query<SharedRow>(
    `select s.title, s.organization_id, s.workspace_id, s.shared_by, s.updated_at,
            m.position, m.id as message_id, m.role, m.parts, m.model, m.sources, m.created_at
       from :schema.chat_share s
       join :schema.member_workspace v on v.workspace_id = s.workspace_id and v.organization_id = s.organization_id and v.user_id = $1 and v.is_member
       left join lateral (
         select * from :schema.chat_share_message c where c.share_id = s.id and c.position < $3 order by c.position desc limit $4) m on true
      where s.id = $2 and not exists (select 1 from :schema.org_policy p where p.organization_id = s.organization_id and p.disable_sharing)
      order by m.position`,
    [userId, shareId, before ?? 2_147_483_647, limit],
  );
  const [share] = rows;
  if (!share) throw new AppError('not_found');
  return {
    id: shareId,
    title: share.title,
    organization: share.organization_id,
    workspace: share.workspace_id,
    sharedBy: share.shared_by,
    updatedAt: share.updated_at.toISOString(),
    messages: rows.flatMap((row) => (row.position === null ? [] : toMessage(row, row.position))),
  };
}

function toMessage(row: SharedRow, position: number): CopiedMessage {
  return {
    id: row.message_id,
    position,
    role: row.role,
    parts: row.parts,
    metadata: row.model === null ? {} : { model: row.model },
    createdAt: row.created_at.toISOString(),
    ...(row.sources === null ? {} : { sources: row.sources }),
  };
}
