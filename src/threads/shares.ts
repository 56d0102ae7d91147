// A conversation shared with its workspace by a link. The link shows a copy, made when the owner shares it or brings it up
// to date. Who opens it has to be a member of the workspace at that moment, and the organization has to allow sharing:
// both are part of the statement that finds the copy, so there is no other way to it.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { OwnShare } from '../contract/share-of-thread.ts';
import type { SharedSource, SharedThread } from '../contract/shares.ts';
import type { MessagePart } from '../contract/threads.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { MESSAGE_PAGES, NO_BOUND, pageOf, pageValues } from './message-page.ts';
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
       join :schema.acting_member o on o.organization_id = t.organization_id and o.user_id = t.user_id
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
    const messages = await copyMessages(tx, id, threadId);
    await tx.query('update :schema.chat_share set messages = $2, updated_at = now() where id = $1', [id, messages]);
    const { share: saved } = await findShare(tx, user.id, threadId);
    if (!saved) throw new Error('the share was not saved');
    return saved;
  });
}

/** Without reasoning, costs and the credential that paid. Returns how many there are. */
async function copyMessages(tx: Transaction, shareId: string, threadId: string): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into :schema.chat_share_message (share_id, position, id, role, parts, bytes, model, served, sources, created_at)
       select $1, row_number() over (order by m.position) - 1, m.id, m.role, c.parts, :schema.chat_message_bytes(c.parts), m.metadata ->> 'model', m.metadata ->> 'served',
              (select jsonb_agg(jsonb_build_object('number', s.source -> 'number', 'name', s.source -> 'name') order by s.at)
                 from jsonb_array_elements(m.metadata -> 'sources') with ordinality s (source, at)), m.created_at
         from :schema.chat_message m
         cross join lateral (
           select coalesce(jsonb_agg(p.part order by p.at), '[]') from jsonb_array_elements(m.parts) with ordinality p (part, at)
            where p.part ->> 'type' <> 'reasoning') c (parts)
        where m.thread_id = $2`,
    [shareId, threadId],
  );
  return rowCount;
}

export async function removeShare(db: Queryable, userId: string, threadId: string): Promise<void> {
  const { rowCount } = await db.query(
    'delete from :schema.chat_share s using :schema.chat_thread t where s.thread_id = t.id and t.id = $2 and t.user_id = $1',
    [userId, threadId],
  );
  if (rowCount === 0) throw new AppError('not_found');
}

interface ShareRow extends Record<string, unknown> {
  title: string;
  organization_id: string;
  workspace_id: string;
  shared_by: string;
  updated_at: Date;
}

interface SharedRow extends Record<string, unknown> {
  position: number;
  id: string;
  role: 'user' | 'assistant';
  parts: MessagePart[];
  model: string | null;
  served: string | null;
  sources: SharedSource[] | null;
  created_at: Date;
  whole_bytes?: number | null;
}

export interface CopiedMessage extends StoredMessage {
  readonly sources?: SharedSource[];
}

export interface SharedPage extends Omit<SharedThread, 'messages'> {
  readonly messages: readonly CopiedMessage[];
}

/** Share $1, if it exists for person $2. */
const OPEN = `from :schema.chat_share s
  join :schema.member_workspace v on v.workspace_id = s.workspace_id and v.organization_id = s.organization_id and v.user_id = $2 and v.is_member
 where s.id = $1 and not exists (select 1 from :schema.org_policy p where p.organization_id = s.organization_id and p.disable_sharing)`;
const PAGE = pageOf(
  'p.id, p.role, p.model, p.served, p.sources, p.created_at',
  'select c.*, null::int as text_bytes from :schema.chat_share_message c where c.share_id = $1 and c.position < $2',
  'last',
);

/** What the link shows to a member of its workspace; to everyone else it does not exist. */
export async function openShare(
  db: Queryable,
  userId: string,
  {
    shareId,
    before = NO_BOUND,
    limit,
  }: { readonly shareId: string; readonly before: number | undefined; readonly limit: number },
): Promise<SharedPage> {
  const { rows: found } = await db.query<ShareRow>(
    `select s.title, s.organization_id, s.workspace_id, s.shared_by, s.updated_at ${OPEN}`,
    [shareId, userId],
  );
  const [share] = found;
  if (!share) throw new AppError('not_found');
  const { rows } = await db.query<SharedRow>(PAGE, [shareId, before, ...pageValues(limit, MESSAGE_PAGES.shown)]);
  return {
    id: shareId,
    title: share.title,
    organization: share.organization_id,
    workspace: share.workspace_id,
    sharedBy: share.shared_by,
    updatedAt: share.updated_at.toISOString(),
    messages: rows.map(toMessage),
  };
}

/** A message that the link shows, whole; undefined if there is none for this person. */
export async function findSharedMessage(
  db: Queryable,
  userId: string,
  { shareId, messageId }: { readonly shareId: string; readonly messageId: string },
): Promise<{ readonly message: CopiedMessage; readonly organizationId: string } | undefined> {
  const { rows } = await db.query<SharedRow & { organization_id: string }>(
    `select c.*, o.organization_id from (select s.id, s.organization_id ${OPEN}) o join :schema.chat_share_message c on c.share_id = o.id where c.id = $3`,
    [shareId, userId, messageId],
  );
  return rows[0] && { message: toMessage(rows[0]), organizationId: rows[0].organization_id };
}

function toMessage(row: SharedRow): CopiedMessage {
  return {
    id: row.id,
    position: row.position,
    role: row.role,
    parts: row.parts,
    metadata: {
      ...(row.model === null ? {} : { model: row.model }),
      ...(row.served === null ? {} : { served: row.served }),
    },
    createdAt: row.created_at.toISOString(),
    ...(row.sources === null ? {} : { sources: row.sources }),
    ...(typeof row.whole_bytes === 'number' ? { wholeBytes: row.whole_bytes } : {}),
  };
}
