import type { Organization } from '../../contract/organizations.ts';
import type { Database } from '../../store/database.ts';
import { requireSettings } from '../authority.ts';
import type { MembershipLookup } from '../members/find-membership.ts';
import { withLockedMembership } from '../members/get-membership.ts';

/** The slug stays, so that addresses keep working. */
export function renameOrganization(db: Database, lookup: MembershipLookup, name: string): Promise<Organization> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'general settings');
    const { organizationId: id, organizationSlug: slug, plan, organizationRole: role } = membership;
    await tx.query('update :schema.organization set name = $2 where id = $1', [id, name]);
    return { id, slug, name, plan, role };
  });
}
