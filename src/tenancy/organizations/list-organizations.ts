import type { Role } from '../../contract/common.ts';
import type { Organization } from '../../contract/organizations.ts';
import type { Queryable } from '../../store/database.ts';
import type { Plan } from '../members/membership.ts';

/** The organizations a person is in, oldest first. */
export async function listOrganizations(db: Queryable, userId: string): Promise<Organization[]> {
  const { rows } = await db.query<{ id: string; slug: string; name: string; plan: Plan; role: Role }>(
    `select o.id, o.slug, o.name, o.plan, m.role
       from :schema.acting_member m join :schema.organization o on o.id = m.organization_id
      where m.user_id = $1 order by o.id`,
    [userId],
  );
  return rows;
}
