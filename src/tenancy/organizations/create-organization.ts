import { AppError } from '../../base/errors.ts';
import type { Organization } from '../../contract/organizations.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { insertMember } from '../members/add-member.ts';
import type { SignUpRules } from '../members/sign-up-rules.ts';
import { getMembership } from '../members/get-membership.ts';
import { claimOrganization, insertOrganization, type NewOrganization } from './insert-organization.ts';
import { toWorkspace } from '../workspaces/to-workspace.ts';

type Rules = Pick<SignUpRules, 'newOrganizations' | 'firstPlan' | 'organizationsPerPerson'>;

const DEFAULT_RULES: Rules = { newOrganizations: 'anyone', firstPlan: 'free', organizationsPerPerson: 10 };

/** Creates the organization together with its owner, Global and Default. */
export async function createOrganization(
  db: Database,
  userId: string,
  input: NewOrganization,
  { newOrganizations, firstPlan, organizationsPerPerson }: Rules = DEFAULT_RULES,
): Promise<{ organization: Organization; workspaces: { global: Workspace; default: Workspace } }> {
  if (newOrganizations === 'operator') throw new AppError('organizations_closed');
  return db.transaction(async (tx) => {
    await requireAnotherOrganization(tx, userId, organizationsPerPerson);
    const { id, slug } = await insertOrganization(tx, input, firstPlan);
    await insertMember(tx, id, userId, 'owner');
    await claimOrganization(tx, id, userId);
    const global = await getMembership(tx, { userId, organizationId: id, workspaceId: 'global' });
    const standard = await getMembership(tx, { userId, organizationId: id, workspaceId: 'default' });
    return {
      organization: { id, slug, name: input.name, plan: firstPlan, role: 'owner' },
      workspaces: { global: toWorkspace(global), default: toWorkspace(standard) },
    };
  });
}

/** One organization per person at a time, so that concurrent calls cannot exceed the limit. */
async function requireAnotherOrganization(tx: Transaction, userId: string, limit: number): Promise<void> {
  await tx.query('select 1 from :schema.identity_user where id = $1 for no key update', [userId]);
  const { rows } = await tx.query<{ created: number }>(
    'select count(*) as created from :schema.organization where created_by = $1',
    [userId],
  );
  if ((rows[0]?.created ?? 0) >= limit) throw new AppError('organization_limit_reached', { limit });
}
