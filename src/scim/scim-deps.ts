import type { ShutDeps } from '../leaving/shut-person.ts';
import type { SignUpRules } from '../tenancy/members/sign-up-rules.ts';

export interface ScimDeps extends ShutDeps {
  readonly rules: Pick<SignUpRules, 'signUp'>;
  /** How long the account of a deleted person is kept, in case they are provisioned again. */
  readonly deletionDays: number;
}
