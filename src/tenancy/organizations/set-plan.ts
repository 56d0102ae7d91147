import { AppError } from '../../base/errors.ts';
import type { Database } from '../../store/database.ts';
import type { Plan } from '../members/membership.ts';

/**
 * For operators. A smaller plan removes no one: an organization above its capacity keeps its members and accepts no new
 * ones. Takes the organization's id or slug.
 */
export async function setPlan(
  db: Database,
  organization: string,
  plan: Plan,
): Promise<{ id: string; slug: string; plan: Plan }> {
  const { rows } = await db.query<{ id: string; slug: string }>(
    'update :schema.organization set plan = $2 where id = $1 or slug = $1 returning id, slug',
    [organization, plan],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return { id: row.id, slug: row.slug, plan };
}
