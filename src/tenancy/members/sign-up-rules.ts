import type { Config } from '../../base/config.ts';
import type { Plan } from './membership.ts';

/** Who may sign up and create organizations, as configured by the operator. */
export interface SignUpRules {
  readonly signUp: 'open' | 'invited' | 'closed';
  readonly newOrganizations: 'anyone' | 'operator';
  readonly firstPlan: Plan;
  readonly organizationsPerPerson: number;
}

export function readSignUpRules(config: Config): SignUpRules {
  return {
    signUp: config.SERVICE_SIGN_UP,
    newOrganizations: config.SERVICE_NEW_ORGANIZATIONS,
    firstPlan: config.SERVICE_FIRST_PLAN,
    organizationsPerPerson: config.SERVICE_ORGANIZATIONS_PER_PERSON,
  };
}
