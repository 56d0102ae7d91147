// Projects as rows. Every statement joins the person's workspaces: a project of another organization, or of a workspace
// that they do not see, does not resolve. Owners and admins of the organization see every workspace; only members of
// the workspace change its projects and chat in them.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { Project } from '../../contract/projects.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { withinBytes } from '../../tenancy/paging.ts';
import { seesWorkspace } from '../../tenancy/workspaces/sees-workspace.ts';

interface ProjectRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  name: string;
  description: string;
  instructions: string;
  model: string | null;
  files: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `p.id, p.organization_id, p.workspace_id, p.name, p.description, p.instructions, p.model, p.created_at, p.updated_at,
  (select count(*) from :schema.project_file f where f.project_id = p.id) as files`;
const PLACE = 'v.organization_id = p.organization_id and v.workspace_id = p.workspace_id and v.user_id = $1';
/** User $1 is in the workspace of project `p`. */
export const MEMBER = `exists (select 1 from :schema.member_workspace v where ${PLACE} and v.is_member)`;
/** User $1 sees the workspace of project `p`. */
export const SEES = `exists (select 1 from :schema.member_workspace v where ${PLACE} and ${seesWorkspace('v')})`;

export interface ProjectPage {
  readonly userId: string;
  readonly organizationId: string;
  /** Id or slug. */
  readonly workspace?: string | undefined;
  readonly search?: string | undefined;
  /** The last project of the page before. */
  readonly after: string;
  readonly limit: number;
}

/** The latest first. */
export async function listProjects(
  db: Queryable,
  { userId, organizationId, workspace, search, after, limit }: ProjectPage,
): Promise<{ projects: Project[]; found: number }> {
  const { rows } = await db.query<ProjectRow & { found: number }>(
    withinBytes(
      `select ${COLUMNS} from :schema.project p
       join :schema.workspace w on w.organization_id = p.organization_id and w.id = p.workspace_id
      where p.organization_id = $2 and ${SEES} and ($3::text is null or w.id = $3 or w.slug = $3)
        and ($4::text is null or p.name ilike '%' || $4 || '%') and ($5 = '' or p.id < $5)
      order by p.id desc limit $6`,
      { order: 'q.id desc', bytes: 'octet_length(q.instructions)' },
    ),
    [userId, organizationId, workspace ?? null, search?.replace(/[\\%_]/g, '\\$&') ?? null, after, limit],
  );
  return { projects: rows.map(toProject), found: rows[0]?.found ?? 0 };
}

export async function findProject(db: Queryable, userId: string, id: string): Promise<Project | undefined> {
  const { rows } = await db.query<ProjectRow>(`select ${COLUMNS} from :schema.project p where p.id = $2 and ${SEES}`, [
    userId,
    id,
  ]);
  return rows.map(toProject)[0];
}

export async function getProject(db: Queryable, userId: string, id: string): Promise<Project> {
  const project = await findProject(db, userId, id);
  if (!project) throw new AppError('not_found');
  return project;
}

/** For those who change it or chat in it. */
export async function getProjectOfMember(db: Queryable, userId: string, id: string): Promise<Project> {
  return (await findProjectOfMember(db, userId, id)) ?? refuse(db, userId, id);
}

export async function findProjectOfMember(db: Queryable, userId: string, id: string): Promise<Project | undefined> {
  const { rows } = await db.query<ProjectRow>(
    `select ${COLUMNS} from :schema.project p where p.id = $2 and ${MEMBER}`,
    [userId, id],
  );
  return rows.map(toProject)[0];
}

export interface NewProject {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
}

export function createProject(db: Database, project: NewProject): Promise<Project> {
  const { userId, organizationId, workspaceId, name, description = '', instructions = '', model = null } = project;
  return db.transaction(async (tx) => {
    // Two at once cannot exceed the limit together.
    await tx.query('select 1 from :schema.workspace where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      workspaceId,
    ]);
    const id = newId('prj');
    const { rowCount } = await tx.query(
      `insert into :schema.project (id, organization_id, workspace_id, name, description, instructions, model, created_by)
       select $2, v.organization_id, v.workspace_id, $5, $6, $7, $8, $1 from :schema.member_workspace v
        where v.organization_id = $3 and v.workspace_id = $4 and v.user_id = $1 and v.is_member
          and (select count(*) from :schema.project p where p.organization_id = $3 and p.workspace_id = $4) < $9`,
      [userId, id, organizationId, workspaceId, name, description, instructions, model, PROJECT_LIMITS.projects],
    );
    if (rowCount === 0) throw new AppError('too_many_projects', { limit: PROJECT_LIMITS.projects });
    return getProject(tx, userId, id);
  });
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly instructions?: string | undefined;
  readonly model?: string | null | undefined;
}

/** Omitted fields stay as they are. */
export async function changeProject(
  db: Queryable,
  userId: string,
  id: string,
  { name, description, instructions, model }: ProjectChange,
): Promise<Project> {
  const { rows } = await db.query<ProjectRow>(
    `update :schema.project p set name = coalesce($3, p.name), description = coalesce($4, p.description),
            instructions = coalesce($5, p.instructions), model = case when $6 then $7 else p.model end, updated_at = now()
      where p.id = $2 and ${MEMBER} returning ${COLUMNS}`,
    [userId, id, name ?? null, description ?? null, instructions ?? null, model !== undefined, model ?? null],
  );
  if (!rows[0]) return refuse(db, userId, id);
  return toProject(rows[0]);
}

/** Its files go with it; its chats stay. */
export async function removeProject(db: Queryable, userId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(`delete from :schema.project p where p.id = $2 and ${MEMBER}`, [userId, id]);
  if (rowCount === 0) await refuse(db, userId, id);
}

/** Those who see the project learn that they are not in its workspace. */
async function refuse(db: Queryable, userId: string, id: string): Promise<never> {
  throw new AppError((await findProject(db, userId, id)) ? 'workspace_membership_required' : 'not_found');
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    organization: row.organization_id,
    workspace: row.workspace_id,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    ...(row.model === null ? {} : { model: row.model }),
    files: row.files,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
