// Renaming and deleting. Global and Default belong to the organization: they cannot be deleted, and keep their slugs.
import { AppError } from '../base/errors.ts';
import type { Workspace } from '../contract/workspaces.ts';
import type { Database, Transaction } from '../store/database.ts';
import { requireMutationAuthority } from './authority.ts';
import { RESERVED_SLUGS } from './create-workspace.ts';
import type { Place } from './find-standing.ts';
import { getStanding, withLockedStanding } from './get-standing.ts';
import type { Standing } from './standing.ts';
import { toWorkspace } from './to-workspace.ts';

export interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
}

export function changeWorkspace(db: Database, place: Place, change: WorkspaceChange): Promise<Workspace> {
  return withLockedStanding(db, place, async (tx, standing) => {
    requireMutationAuthority(standing);
    const { workspaceId, workspaceKind, workspaceName } = standing;
    const slug = change.slug ?? standing.workspaceSlug;
    if (workspaceKind === 'global' || (workspaceKind === 'default' && slug !== 'default'))
      throw new AppError('workspace_reserved');
    if (slug !== standing.workspaceSlug) await requireFreeSlug(tx, standing, slug);
    await tx.query('update :schema.workspace set name = $2, slug = $3 where id = $1', [
      workspaceId,
      change.name ?? workspaceName,
      slug,
    ]);
    return toWorkspace(await getStanding(tx, place));
  });
}

/** `before` runs in the same transaction, once it is certain that the workspace is deleted. */
export function deleteWorkspace(
  db: Database,
  place: Place,
  before: (tx: Transaction, standing: Standing) => Promise<void> = async () => {},
): Promise<void> {
  return withLockedStanding(db, place, async (tx, standing) => {
    requireMutationAuthority(standing);
    if (standing.workspaceKind !== 'named') throw new AppError('workspace_reserved');
    await before(tx, standing);
    await tx.query('delete from :schema.workspace where id = $1', [standing.workspaceId]);
  });
}

async function requireFreeSlug(tx: Transaction, { organizationId }: Standing, slug: string): Promise<void> {
  const { rowCount } = await tx.query('select 1 from :schema.workspace where organization_id = $1 and slug = $2', [
    organizationId,
    slug,
  ]);
  if (rowCount > 0 || RESERVED_SLUGS.includes(slug)) throw new AppError('slug_taken');
}
