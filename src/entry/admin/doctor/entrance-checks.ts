import type { Config } from '../../../base/config.ts';
import { PLANS } from '../../../tenancy/organizations/plans.ts';
import { type Finding, notice, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';
import { KEY_VARIABLES } from '../../../model-providers/providers.ts';

const MICROS = 1_000_000;
const CEILING = 'SERVICE_PLATFORM_MONTHLY_LIMIT_USD';

/** What strangers can spend: the deployment's own model keys pay for every organization, and anyone may create one. */
export function checkEntrance({ config, environment, exposed }: Deployment): Finding[] {
  const { SERVICE_SIGN_UP: signUp, SERVICE_NEW_ORGANIZATIONS: organizations } = config;
  const pays = KEY_VARIABLES.some((variable) => config[variable] !== undefined);
  if (!pays || config.CHAT_REQUIRE_BYOK) return [ok('no model key of the deployment pays for organizations')];
  if (signUp !== 'open' || organizations !== 'anyone')
    return [
      ok(
        `the deployment's model keys pay for whom you let in: sign-up is ${signUp}, organizations are made by ${organizations}`,
      ),
    ];
  const gift = describeGift(config);
  if (gift === undefined) return [ok('a new organization has nothing to spend')];
  const what = "anyone who signs up can spend on the deployment's model keys";
  const why = `Sign-up is open and anyone can create organizations: ${gift}, for every email address someone makes up.`;
  const fix =
    'Set SERVICE_SIGN_UP=invited, or SERVICE_NEW_ORGANIZATIONS=operator and create them with servicectl admin organization.';
  const bounded = (environment[CEILING] ?? '').trim() !== '';
  return [
    exposed && !bounded
      ? warning(what, why, `${fix} ${CEILING} limits what all of them can spend together.`)
      : notice(what, why, fix),
  ];
}

function describeGift({
  SERVICE_FIRST_PLAN: plan,
  SERVICE_ORGANIZATIONS_PER_PERSON: organizations,
}: Config): string | undefined {
  const { signupCreditMicros, seatBudgetMicros } = PLANS[plan];
  const parts = [
    signupCreditMicros > 0 ? `$${signupCreditMicros / MICROS} once` : '',
    seatBudgetMicros > 0
      ? `$${seatBudgetMicros / MICROS} per month and member in each of ${organizations} organizations`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' and ');
}
