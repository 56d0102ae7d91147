// Saved prompts as rows. Each is one person's own or shared in a workspace; every statement is scoped to what the person
// sees now, so another person's prompt, or one of a workspace that they have left, does not resolve.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { withinBytes } from '../../tenancy/paging.ts';
import { seesWorkspace } from '../../tenancy/workspaces/sees-workspace.ts';

interface PromptRow extends Record<string, unknown> {
  id: string;
  name: string;
  text: string;
  workspace_id: string | null;
  workspace_slug: string;
  workspace_name: string;
  created_by: string;
  created_by_name: string;
  created_at: Date;
  updated_at: Date;
  editable: boolean;
}

/**
 * What person $1 sees: their own, and those of workspaces that they see. Who made a shared one changes it while they are
 * in the workspace; its owners and admins, and those of the organization, always do.
 */
const SEEN = `
select p.id, p.name, p.text, p.workspace_id, v.slug as workspace_slug, v.name as workspace_name,
       p.created_by, p.created_by_name, p.created_at, p.updated_at,
       p.user_id is not null or (p.created_by = $1 and v.is_member) or coalesce(v.role, 'member') in ('owner', 'admin')
         or v.organization_role in ('owner', 'admin') as editable
  from :schema.prompt p
  left join :schema.member_workspace v on v.workspace_id = p.workspace_id and v.user_id = $1
 where (p.user_id = $1 or ${seesWorkspace('v')})`;

const MOST_PROMPTS = 500;

export interface PromptPage {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspace: string | undefined;
  readonly search: string | undefined;
  readonly after: { readonly name: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** By name; a page ends where the next one begins, regardless of concurrent writes. */
export async function listPrompts(
  db: Queryable,
  { userId, organizationId, workspace, search, after, limit }: PromptPage,
): Promise<{ prompts: Prompt[]; found: number }> {
  const { rows } = await db.query<PromptRow & { found: number }>(
    withinBytes(
      `${SEEN} and p.organization_id = $2 and ($3::text is null or v.workspace_id = $3 or v.slug = $3)
        and ($4::text is null or p.name ilike '%' || $4 || '%' or p.text ilike '%' || $4 || '%')
        and ($5::text is null or (p.name collate "C", p.id) > ($5, $6))
      order by p.name collate "C", p.id limit $7`,
      { order: 'q.name collate "C", q.id', bytes: 'octet_length(q.text)' },
    ),
    [
      userId,
      organizationId,
      workspace ?? null,
      search === undefined ? null : search.replace(/[\\%_]/g, '\\$&'),
      after?.name ?? null,
      after?.id ?? null,
      limit,
    ],
  );
  return { prompts: rows.map(toPrompt), found: rows[0]?.found ?? 0 };
}

export interface NewPrompt {
  readonly organizationId: string;
  /** Undefined if it is the person's own. */
  readonly workspaceId: string | undefined;
  readonly name: string;
  readonly text: string;
}

export function createPrompt(
  db: Database,
  user: { readonly id: string; readonly name: string },
  { organizationId, workspaceId, name, text }: NewPrompt,
): Promise<Prompt> {
  const id = newId('prm');
  return db.transaction(async (tx) => {
    await refuseTooMany(tx, organizationId, workspaceId === undefined ? { userId: user.id } : { workspaceId });
    const { rowCount } = await tx.query(
      `insert into :schema.prompt (id, organization_id, user_id, workspace_id, name, text, created_by, created_by_name)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [
        id,
        organizationId,
        workspaceId === undefined ? user.id : null,
        workspaceId ?? null,
        name,
        text,
        user.id,
        user.name,
      ],
    );
    if (rowCount === 0) throw new AppError('prompt_name_taken', { name });
    return getPrompt(tx, user.id, id);
  });
}

/** Concurrent callers may pass it by a few, which does no harm. */
async function refuseTooMany(
  tx: Transaction,
  organizationId: string,
  owner: { readonly userId: string } | { readonly workspaceId: string },
): Promise<void> {
  const [column, value] = 'userId' in owner ? ['user_id', owner.userId] : ['workspace_id', owner.workspaceId];
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from :schema.prompt where organization_id = $1 and ${column} = $2`,
    [organizationId, value],
  );
  if ((rows[0]?.count ?? 0) >= MOST_PROMPTS) throw new AppError('too_many_prompts', { limit: MOST_PROMPTS });
}

export interface PromptChange {
  readonly name?: string | undefined;
  readonly text?: string | undefined;
}

/** Omitted fields stay as they are. */
export function changePrompt(
  db: Database,
  userId: string,
  promptId: string,
  { name, text }: PromptChange,
): Promise<Prompt> {
  const work = db.transaction(async (tx) => {
    await lockEditable(tx, userId, promptId);
    await tx.query(
      'update :schema.prompt set name = coalesce($2, name), text = coalesce($3, text), updated_at = now() where id = $1',
      [promptId, name ?? null, text ?? null],
    );
    return getPrompt(tx, userId, promptId);
  });
  return work.catch((error: unknown) => {
    throw isTaken(error) ? new AppError('prompt_name_taken', { name }, { cause: error }) : error;
  });
}

const UNIQUE_VIOLATION = '23505';

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

export function removePrompt(db: Database, userId: string, promptId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockEditable(tx, userId, promptId);
    await tx.query('delete from :schema.prompt where id = $1', [promptId]);
  });
}

async function lockEditable(tx: Transaction, userId: string, promptId: string): Promise<void> {
  await tx.query('select from :schema.prompt where id = $1 for update', [promptId]);
  const { editable } = await getPrompt(tx, userId, promptId);
  if (!editable) throw new AppError('prompt_authority_required');
}

async function getPrompt(db: Queryable, userId: string, promptId: string): Promise<Prompt> {
  const { rows } = await db.query<PromptRow>(`${SEEN} and p.id = $2`, [userId, promptId]);
  if (!rows[0]) throw new AppError('not_found');
  return toPrompt(rows[0]);
}

function toPrompt(row: PromptRow): Prompt {
  return {
    id: row.id,
    name: row.name,
    text: row.text,
    ...(row.workspace_id === null
      ? {}
      : { workspace: { id: row.workspace_id, slug: row.workspace_slug, name: row.workspace_name } }),
    createdBy: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    editable: row.editable,
  };
}
