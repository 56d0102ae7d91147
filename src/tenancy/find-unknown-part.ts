import type { Queryable } from '../store/database.ts';

export interface NamedParts {
  /** Ids or slugs. */
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

export type UnknownPart = 'organization_unknown' | 'workspace_unknown' | 'actor_unknown';

const KNOWN = `
  select exists (select from :schema.organization o where $1 in (o.id, o.slug)) as organization_known,
         exists (select from :schema.workspace w join :schema.organization o on o.id = w.organization_id
                  where $1 in (o.id, o.slug) and $2 in (w.id, w.slug)) as workspace_known,
         exists (select from :schema.identity_user u where u.id = $3) as actor_known`;

/** The first of these that this deployment has never heard of, or no longer has; membership is not considered. */
export async function findUnknownPart(
  db: Queryable,
  { organizationId, workspaceId, userId }: NamedParts,
): Promise<UnknownPart | undefined> {
  const { rows } = await db.query<{ organization_known: boolean; workspace_known: boolean; actor_known: boolean }>(
    KNOWN,
    [organizationId, workspaceId, userId],
  );
  const [known] = rows;
  if (!known?.organization_known) return 'organization_unknown';
  if (!known.workspace_known) return 'workspace_unknown';
  return known.actor_known ? undefined : 'actor_unknown';
}
