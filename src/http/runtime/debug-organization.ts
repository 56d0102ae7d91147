import { z } from 'zod';
import { publicUrl } from '../../net/addresses.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { email, name } from '../../contract/common.ts';
import { plan } from '../../contract/organizations.ts';
import type { Database } from '../../store/database.ts';
import { readSignUpRules } from '../../tenancy/members/sign-up-rules.ts';
import { invitationUrl } from '../../tenancy/members/invitation-url.ts';
import { type MadeOrganization, makeOrganization } from '../../tenancy/organizations/make-organization.ts';
import { setPlan } from '../../tenancy/organizations/set-plan.ts';
import type { Plan } from '../../tenancy/members/membership.ts';
import { validate } from '../shell/validate.ts';

const planBody = z.strictObject({ plan });
export const organizationOrder = z.strictObject({ name, ownerEmail: email, plan: plan.optional() });

type Answer = { ok: true } & Omit<MadeOrganization, 'invitation'> & {
    invitation?: NonNullable<MadeOrganization['invitation']> & { url: string };
  };

/**
 * Creates an organization for an email address: its owner is the account with that address, or the person who accepts
 * the invitation to it.
 */
export async function orderOrganization(
  db: Database,
  config: Config,
  body: unknown,
  clock: Clock = systemClock,
): Promise<Answer> {
  const order = validate(organizationOrder, body);
  const { invitation, ...made } = await makeOrganization(db, clock, readSignUpRules(config), order);
  return {
    ok: true,
    ...made,
    ...(invitation ? { invitation: { ...invitation, url: invitationUrl(publicUrl(config), invitation.id) } } : {}),
  };
}

/** Changes the plan of an organization, by id or slug. */
export async function changePlan(
  db: Database,
  organization: string,
  body: unknown,
): Promise<{ ok: true; organization: { id: string; slug: string; plan: Plan } }> {
  const parsed = planBody.safeParse(body);
  if (!parsed.success)
    throw new AppError('invalid_request', {
      plan: `must be one of ${plan.options.join(', ')}, and the only field of the body`,
    });
  return { ok: true, organization: await setPlan(db, organization, parsed.data.plan) };
}
