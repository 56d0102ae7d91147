import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { MembershipLookup } from '../members/find-membership.ts';
import { getMembership, withLockedMembership } from '../members/get-membership.ts';
import { slugCandidates } from './slug.ts';
import { toWorkspace } from './to-workspace.ts';

/** The slugs of the two workspaces that every organization has. */
export const RESERVED_SLUGS: readonly string[] = ['global', 'default'];

/** Any member of the organization may create a named workspace and becomes its owner. */
export function createWorkspace(
  db: Database,
  lookup: MembershipLookup,
  input: { name: string; slug?: string | undefined },
): Promise<Workspace> {
  return withLockedMembership(db, lookup, async (tx, { userId, organizationId }) => {
    const workspaceId = newId('ws');
    await insertNamed(tx, workspaceId, organizationId, input);
    await tx.query(
      "insert into :schema.workspace_member (workspace_id, user_id, organization_id, role) values ($1, $2, $3, 'owner')",
      [workspaceId, userId, organizationId],
    );
    return toWorkspace(await getMembership(tx, { userId, workspaceId }));
  });
}

export async function insertNamed(
  tx: Transaction,
  id: string,
  organizationId: string,
  { name, slug }: { name: string; slug?: string | undefined },
): Promise<void> {
  for (const candidate of slug === undefined ? slugCandidates(name, 'workspace') : [slug]) {
    if (RESERVED_SLUGS.includes(candidate)) continue;
    const { rowCount } = await tx.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, $3, $4, 'named') on conflict (organization_id, slug) do nothing",
      [id, organizationId, candidate, name],
    );
    if (rowCount === 1) return;
  }
  throw new AppError('slug_taken');
}
