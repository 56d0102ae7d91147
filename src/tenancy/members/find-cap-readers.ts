import type { CapSubject } from '../../contract/spend.ts';
import type { Queryable } from '../../store/database.ts';

const MOST = 50;

/** Who is told about a cap: owners and admins, and a member about their own. */
export async function findCapReaders(
  db: Queryable,
  organizationId: string,
  { kind, id }: CapSubject,
): Promise<{ readonly organization: string; readonly addresses: readonly string[] } | undefined> {
  const { rows } = await db.query<{ email: string; organization: string }>(
    `select u.email, o.name as organization from :schema.acting_member m
       join :schema.identity_user u on u.id = m.user_id join :schema.organization o on o.id = m.organization_id
      where m.organization_id = $1 and (m.role in ('owner', 'admin') or ($2 = 'member' and m.user_id = $3))
      order by m.role = 'owner' desc, u.id limit ${MOST}`,
    [organizationId, kind, id],
  );
  const [first] = rows;
  return first && { organization: first.organization, addresses: rows.map(({ email }) => email) };
}
