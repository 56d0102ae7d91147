// Projects as rows. Every statement joins the person's workspaces: a project of another organization, of a workspace that
// they do not see, or of one colleague alone, does not resolve. A shared project is seen by everyone who sees its
// workspace, which owners and admins of the organization always do; only members of the workspace chat in it and change
// it. The person who started it manages it. Once that person has left the workspace, those who manage the workspace see
// it even if it was private, and one of them can take it over.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { Project, ProjectRight, ProjectSharing } from '../../contract/projects.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { findNames } from '../../tenancy/find-names.ts';
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
  sharing: ProjectSharing;
  manager: string;
  manager_left: boolean;
  uses: boolean;
  edits: boolean;
  manages: boolean;
  created_at: Date;
  updated_at: Date;
}

const MANAGER = 'coalesce(p.managed_by, p.created_by)';
const PLACE = 'v.organization_id = p.organization_id and v.workspace_id = p.workspace_id';
const MANAGER_LEFT = `not exists (select 1 from :schema.member_workspace v where ${PLACE} and v.user_id = ${MANAGER} and v.is_member)`;
/** On the row `v` of user $1 in the workspace of project `p`. */
const KEEPS = `(${MANAGER} = $1 and v.is_member)`;
const RUNS_WORKSPACE = `(coalesce(v.role, 'member') in ('owner', 'admin') or v.organization_role in ('owner', 'admin'))`;
const OPEN = `(p.sharing <> 'private' or ${MANAGER_LEFT})`;
const MANAGED = `(${KEEPS} or (${RUNS_WORKSPACE} and ${OPEN}))`;
const SEEN = `(${MANAGED} or (p.sharing <> 'private' and ${seesWorkspace('v')}))`;

const mayOn = (condition: string): string =>
  `exists (select 1 from :schema.member_workspace v where ${PLACE} and v.user_id = $1 and ${condition})`;

/** What user $1 may do with project `p`, as conditions. */
export const SEES = mayOn(SEEN);
export const USES = mayOn(`v.is_member and ${SEEN}`);
export const EDITS = mayOn(`v.is_member and (p.sharing = 'edit' or ${MANAGED})`);
const MANAGES = mayOn(MANAGED);

const COLUMNS = `p.id, p.organization_id, p.workspace_id, p.name, p.description, p.instructions, p.model, p.created_at, p.updated_at, p.sharing,
  (select count(*) from :schema.project_file f where f.project_id = p.id) as files, ${MANAGER} as manager, ${MANAGER_LEFT} as manager_left,
  ${USES} as uses, ${EDITS} as edits, ${MANAGES} as manages`;

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
  return { projects: await toProjects(db, rows), found: rows[0]?.found ?? 0 };
}

export function findProject(db: Queryable, userId: string, id: string): Promise<Project | undefined> {
  return findWhere(db, SEES, userId, id);
}

export async function getProject(db: Queryable, userId: string, id: string): Promise<Project> {
  const project = await findProject(db, userId, id);
  if (!project) throw new AppError('not_found');
  return project;
}

/** For those who chat in it. */
export function findUsableProject(db: Queryable, userId: string, id: string): Promise<Project | undefined> {
  return findWhere(db, USES, userId, id);
}

export async function getUsableProject(db: Queryable, userId: string, id: string): Promise<Project> {
  return (await findUsableProject(db, userId, id)) ?? refuse(db, userId, id, 'use');
}

/** For those who change what it holds. */
export async function getEditableProject(db: Queryable, userId: string, id: string): Promise<Project> {
  return (await findWhere(db, EDITS, userId, id)) ?? refuse(db, userId, id, 'edit');
}

async function findWhere(db: Queryable, condition: string, userId: string, id: string): Promise<Project | undefined> {
  const { rows } = await db.query<ProjectRow>(
    `select ${COLUMNS} from :schema.project p where p.id = $2 and ${condition}`,
    [userId, id],
  );
  return (await toProjects(db, rows))[0];
}

export interface NewProject {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
  readonly sharing?: ProjectSharing | undefined;
}

export function createProject(db: Database, project: NewProject): Promise<Project> {
  const { userId, organizationId, workspaceId, name } = project;
  const { description = '', instructions = '', model = null, sharing = 'private' } = project;
  return db.transaction(async (tx) => {
    // Two at once cannot exceed the limit together.
    await tx.query('select 1 from :schema.workspace where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      workspaceId,
    ]);
    const id = newId('prj');
    const { rowCount } = await tx.query(
      `insert into :schema.project (id, organization_id, workspace_id, name, description, instructions, model, sharing, created_by)
       select $2, v.organization_id, v.workspace_id, $5, $6, $7, $8, $10, $1 from :schema.member_workspace v
        where v.organization_id = $3 and v.workspace_id = $4 and v.user_id = $1 and v.is_member
          and (select count(*) from :schema.project p where p.organization_id = $3 and p.workspace_id = $4
                  and case when $10 = 'private' then p.sharing = 'private' and ${MANAGER} = $1 else p.sharing <> 'private' end) < $9`,
      [
        userId,
        id,
        organizationId,
        workspaceId,
        name,
        description,
        instructions,
        model,
        PROJECT_LIMITS.projects,
        sharing,
      ],
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
      where p.id = $2 and ${EDITS} returning ${COLUMNS}`,
    [userId, id, name ?? null, description ?? null, instructions ?? null, model !== undefined, model ?? null],
  );
  return (await toProjects(db, rows))[0] ?? refuse(db, userId, id, 'edit');
}

/** Taken away, it is gone from the next question on; the chats that others have in it stay theirs. */
export async function shareProject(
  db: Queryable,
  userId: string,
  id: string,
  sharing: ProjectSharing,
): Promise<Project> {
  const { rowCount } = await db.query(
    `update :schema.project p set sharing = $3, updated_at = now() where p.id = $2 and ${MANAGES}
        and ($3 = 'private' or p.sharing <> 'private' or $4 > (select count(*) from :schema.project o
               where o.organization_id = p.organization_id and o.workspace_id = p.workspace_id and o.sharing <> 'private'))`,
    [userId, id, sharing, PROJECT_LIMITS.projects],
  );
  const project = await getProject(db, userId, id);
  if (rowCount > 0) return project;
  if (!project.rights.includes('manage')) return refuse(db, userId, id, 'manage');
  throw new AppError('too_many_projects', { limit: PROJECT_LIMITS.projects });
}

/** By someone who runs the workspace and is in it, once the person who managed the project has left it. */
export async function takeOverProject(db: Queryable, userId: string, id: string): Promise<Project> {
  const { rows } = await db.query<ProjectRow>(
    `update :schema.project p set managed_by = $1, updated_at = now()
      where p.id = $2 and ${MANAGER_LEFT} and ${mayOn(`v.is_member and ${RUNS_WORKSPACE}`)} returning p.id`,
    [userId, id],
  );
  if (rows.length > 0) return getProject(db, userId, id);
  const { rights, managedBy } = await getProject(db, userId, id);
  if (!rights.includes('manage')) return refuse(db, userId, id, 'manage');
  throw new AppError(managedBy.left ? 'workspace_membership_required' : 'project_still_managed');
}

/** Its files go with it; its chats stay. */
export async function removeProject(db: Queryable, userId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(`delete from :schema.project p where p.id = $2 and ${MANAGES}`, [userId, id]);
  if (rowCount === 0) await refuse(db, userId, id, 'manage');
}

/** Those who see the project learn what they lack; to everyone else it does not exist. */
async function refuse(db: Queryable, userId: string, id: string, needs: ProjectRight): Promise<never> {
  const { rights } = await getProject(db, userId, id);
  const isMember = rights.includes('use');
  throw isMember || needs === 'manage'
    ? new AppError('project_role_required', { needs })
    : new AppError('workspace_membership_required');
}

async function toProjects(db: Queryable, rows: readonly ProjectRow[]): Promise<Project[]> {
  const nameOf = await findNames(
    db,
    'member',
    rows.map(({ manager }) => manager),
  );
  return rows.map((row) => ({
    id: row.id,
    organization: row.organization_id,
    workspace: row.workspace_id,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    ...(row.model === null ? {} : { model: row.model }),
    files: row.files,
    sharing: row.sharing,
    rights: [
      ...(row.uses ? ['use' as const] : []),
      ...(row.edits ? ['edit' as const] : []),
      ...(row.manages ? ['manage' as const] : []),
    ],
    managedBy: { id: row.manager, name: nameOf(row.manager), left: row.manager_left },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}
