import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../base/config.ts';
import { ENVIRONMENT } from '../../base/environment.ts';
import { readSignUpRules } from './sign-up-rules.ts';
import { PLANS } from '../organizations/plans.ts';

it('is open, as before, until the operator closes it', () => {
  expect(readSignUpRules(readConfig({}))).toEqual({
    signUp: 'open',
    newOrganizations: 'anyone',
    firstPlan: 'free',
    organizationsPerPerson: 10,
  });
});

it('takes every plan there is as the first one, and no other', () => {
  expect(ENVIRONMENT.SERVICE_FIRST_PLAN.oneOf.toSorted()).toEqual(Object.keys(PLANS).toSorted());
});

it.each([
  [{ SERVICE_FIRST_PLAN: 'gold' }, 'SERVICE_FIRST_PLAN takes one of free, team, business.'],
  [{ SERVICE_SIGN_UP: 'OPEN' }, 'SERVICE_SIGN_UP takes one of open, invited, closed.'],
  [{ SERVICE_NEW_ORGANIZATIONS: 'nobody' }, 'SERVICE_NEW_ORGANIZATIONS takes one of anyone, operator.'],
  [
    { SERVICE_ORGANIZATIONS_PER_PERSON: '0' },
    'SERVICE_ORGANIZATIONS_PER_PERSON takes a whole number from 1 to 1000000.',
  ],
])('%j stops the process at start', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(sentence));
});
