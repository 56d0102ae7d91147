import type { Role } from '../../contract/common.ts';
import type { Member } from '../../contract/organizations.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, joinCursor, type PageRequest, readJoinCursor, rowsToRead } from '../paging.ts';
import type { Membership } from './membership.ts';

interface MemberRow extends Record<string, unknown> {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
  joined_at: string;
  /** Of the organization only. */
  suspended?: boolean;
}

const COLUMNS = 'm.user_id, u.name, u.email, m.role, m.created_at, m.created_at::text as joined_at';
const SUSPENDED = 'm.suspended_at is not null as suspended';

const OF_ORGANIZATION = `select ${COLUMNS}, ${SUSPENDED} from :schema.organization_member m join :schema.identity_user u on u.id = m.user_id
  where m.organization_id = $1`;
const OF_WORKSPACE = `select ${COLUMNS} from :schema.workspace_member m join :schema.identity_user u on u.id = m.user_id
  where m.workspace_id = $1`;
const PAGE = ' and (m.created_at, m.user_id) > ($2::timestamptz, $3) order by m.created_at, m.user_id limit $4';

export interface MemberPage {
  readonly members: Member[];
  readonly cursor?: string;
}

export function listMembers(db: Queryable, membership: Membership, page: PageRequest): Promise<MemberPage> {
  return readPage(db, OF_ORGANIZATION, membership.organizationId, page);
}

/** Every member of the organization is in Global and Default; a named workspace has the members added to it. */
export function listWorkspaceMembers(db: Queryable, membership: Membership, page: PageRequest): Promise<MemberPage> {
  return membership.workspaceKind === 'named'
    ? readPage(db, OF_WORKSPACE, membership.workspaceId, page)
    : listMembers(db, membership, page);
}

export async function findMember(db: Queryable, organizationId: string, userId: string): Promise<Member | undefined> {
  const { rows } = await db.query<MemberRow>(`${OF_ORGANIZATION} and m.user_id = $2`, [organizationId, userId]);
  return rows[0] && toMember(rows[0]);
}

export async function findWorkspaceMember(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<Member | undefined> {
  const { rows } = await db.query<MemberRow>(`${OF_WORKSPACE} and m.user_id = $2`, [workspaceId, userId]);
  return rows[0] && toMember(rows[0]);
}

async function readPage(db: Queryable, select: string, id: string, page: PageRequest): Promise<MemberPage> {
  const after = readJoinCursor(page.cursor);
  const found = await db.query<MemberRow>(select + PAGE, [id, after.joinedAt, after.userId, rowsToRead(page)]);
  const { rows, ...more } = cutPage(found.rows, page, (row) => joinCursor(row.joined_at, row.user_id));
  return { members: rows.map(toMember), ...more };
}

function toMember(row: MemberRow): Member {
  return {
    user: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    ...(row.suspended ? { suspended: true as const } : {}),
  };
}
