import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../store/database.ts';
import { insertMember } from '../members/add-member.ts';
import type { SignUpRules } from '../members/sign-up-rules.ts';
import { type Account, findAccount } from '../find-account.ts';
import { claimOrganization, insertOrganization } from './insert-organization.ts';
import { insertInvitation } from '../members/invite-member.ts';
import type { Invitation } from '../members/list-invitations.ts';
import type { Plan } from '../members/membership.ts';

export interface OrderedOrganization {
  readonly name: string;
  readonly ownerEmail: string;
  readonly plan?: Plan | undefined;
}

export interface MadeOrganization {
  readonly organization: { readonly id: string; readonly slug: string; readonly name: string; readonly plan: Plan };
  /** The account that owns it. */
  readonly owner?: Account;
  /** Present instead of an owner if the address has no account yet: the person who accepts it becomes the owner. */
  readonly invitation?: Invitation;
}

/** For operators, regardless of the rules for everyone else; it counts as created by the owner. */
export function makeOrganization(
  db: Database,
  clock: Clock,
  rules: Pick<SignUpRules, 'signUp' | 'firstPlan'>,
  { name, ownerEmail, plan = rules.firstPlan }: OrderedOrganization,
): Promise<MadeOrganization> {
  return db.transaction(async (tx) => {
    const account = await findAccount(tx, ownerEmail);
    // No one could accept the invitation.
    if (!account && rules.signUp === 'closed') throw new AppError('user_not_found');
    const { id, slug } = await insertOrganization(tx, { name }, plan);
    const organization = { id, slug, name, plan };
    if (!account)
      return {
        organization,
        invitation: await insertInvitation(tx, clock, { organizationId: id, email: ownerEmail, role: 'owner' }),
      };
    await insertMember(tx, id, account.user, 'owner');
    await claimOrganization(tx, id, account.user);
    return { organization, owner: account };
  });
}
