// Renaming and deleting. Global and Default belong to the organization: they cannot be deleted, and keep their slugs.
import { AppError } from '../../base/errors.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireMutationAuthority } from '../authority.ts';
import { RESERVED_SLUGS } from './create-workspace.ts';
import type { MembershipLookup } from '../members/find-membership.ts';
import { getMembership, withLockedMembership } from '../members/get-membership.ts';
import type { Membership } from '../members/membership.ts';
import { toWorkspace } from './to-workspace.ts';

export interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
}

export function changeWorkspace(db: Database, lookup: MembershipLookup, change: WorkspaceChange): Promise<Workspace> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireMutationAuthority(membership);
    const { workspaceId, workspaceKind, workspaceName } = membership;
    const slug = change.slug ?? membership.workspaceSlug;
    if (workspaceKind === 'global' || (workspaceKind === 'default' && slug !== 'default'))
      throw new AppError('workspace_reserved');
    if (slug !== membership.workspaceSlug) await requireFreeSlug(tx, membership, slug);
    await tx.query('update :schema.workspace set name = $2, slug = $3 where id = $1', [
      workspaceId,
      change.name ?? workspaceName,
      slug,
    ]);
    return toWorkspace(await getMembership(tx, lookup));
  });
}

/** `before` runs in the same transaction, once it is certain that the workspace is deleted. */
export function deleteWorkspace(
  db: Database,
  lookup: MembershipLookup,
  before: (tx: Transaction, membership: Membership) => Promise<void> = async () => {},
): Promise<void> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireMutationAuthority(membership);
    if (membership.workspaceKind !== 'named') throw new AppError('workspace_reserved');
    await before(tx, membership);
    await tx.query('delete from :schema.workspace where id = $1', [membership.workspaceId]);
  });
}

async function requireFreeSlug(tx: Transaction, { organizationId }: Membership, slug: string): Promise<void> {
  const { rowCount } = await tx.query('select 1 from :schema.workspace where organization_id = $1 and slug = $2', [
    organizationId,
    slug,
  ]);
  if (rowCount > 0 || RESERVED_SLUGS.includes(slug)) throw new AppError('slug_taken');
}
