import { expect, it } from 'vitest';
import { hasMutationAuthority, managesOrganization, seesWorkspace } from './authority.ts';
import { PLANS } from './organizations/plans.ts';

const TABLE = [
  // organization, workspace, manages organization, authority over workspace, sees workspace
  ['owner', undefined, true, true, true],
  ['owner', 'member', true, true, true],
  ['admin', undefined, true, true, true],
  ['admin', 'member', true, true, true],
  ['member', undefined, false, false, false],
  ['member', 'member', false, false, true],
  ['member', 'admin', false, true, true],
  ['member', 'owner', false, true, true],
] as const;

it.each(TABLE)(
  'organization %s, workspace %s: manages %s, authority %s, sees %s',
  (organizationRole, workspaceRole, manages, authority, sees) => {
    const membership = { organizationRole, workspaceRole, isWorkspaceMember: workspaceRole !== undefined };
    expect([managesOrganization(membership), hasMutationAuthority(membership), seesWorkspace(membership)]).toEqual([
      manages,
      authority,
      sees,
    ]);
  },
);

it('gives each plan its seats and its money', () => {
  expect(PLANS).toEqual({
    free: { seats: 3, signupCreditMicros: 5_000_000, seatBudgetMicros: 0 },
    team: { seats: 25, signupCreditMicros: 0, seatBudgetMicros: 20_000_000 },
    business: { seats: 250, signupCreditMicros: 0, seatBudgetMicros: 60_000_000 },
  });
});
