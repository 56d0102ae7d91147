// Where somebody is found to be no member, this says whether they are one of an organization that its operator has
// paused: then they are told so, and not that it is gone.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';

const PAUSED = `
select 1 from :schema.organization o
  join :schema.organization_member m on m.organization_id = o.id and m.user_id = $1
  join :schema.identity_user u on u.id = m.user_id and u.disabled_at is null
 where o.disabled_at is not null and o.deleted_at is null`;
// Ids contain an underscore and slugs do not, so a name matches only one column.
const NAMED = `${PAUSED} and (o.id = $2 or o.slug = $2)`;
const OF_WORKSPACE = `${PAUSED} and o.id = (select w.organization_id from :schema.workspace w where w.id = $2)`;

/** Throws `organization_paused`. */
export async function refusePaused(
  db: Queryable,
  {
    userId,
    organizationId,
    workspaceId,
  }: { userId: string; organizationId?: string | undefined; workspaceId?: string | undefined },
): Promise<void> {
  const name = organizationId ?? workspaceId;
  if (name === undefined) return;
  const { rowCount } = await db.query(organizationId === undefined ? OF_WORKSPACE : NAMED, [userId, name]);
  if (rowCount > 0) throw new AppError('organization_paused');
}
