import { expect, it } from 'vitest';
import { readConfig } from '../../../base/config.ts';
import { checkEntrance } from './entrance-checks.ts';
import type { Deployment } from './deployment.ts';

const look = (environment: Record<string, string>, exposed = true) =>
  checkEntrance({ config: readConfig(environment), environment, exposed } as unknown as Deployment)[0];
const KEY = { OPENAI_API_KEY: 'sk-of-the-deployment' };

it('warns of a platform key behind an open sign-up at a public address, and says what closes it', () => {
  expect(look(KEY)).toMatchObject({
    level: 'warning',
    why: expect.stringContaining('$5 once'),
    fix: expect.stringMatching(/SERVICE_SIGN_UP=invited.*SERVICE_NEW_ORGANIZATIONS=operator/),
  });
  expect(look({ ANTHROPIC_API_KEY: 'sk-ant-x', SERVICE_FIRST_PLAN: 'team' })).toMatchObject({
    level: 'warning',
    why: expect.stringContaining('$20 per month and member in each of 10 organizations'),
  });
});

it.each([
  ['no key of the deployment', {}, true, 'ok'],
  ['strict mode', { ...KEY, CHAT_REQUIRE_BYOK: 'true' }, true, 'ok'],
  ['sign-up for the invited', { ...KEY, SERVICE_SIGN_UP: 'invited' }, true, 'ok'],
  ['a closed sign-up', { ...KEY, SERVICE_SIGN_UP: 'closed' }, true, 'ok'],
  ['organizations by the operator', { ...KEY, SERVICE_NEW_ORGANIZATIONS: 'operator' }, true, 'ok'],
  ['a private address', KEY, false, 'notice'],
] as const)('with %s', (_name, environment, exposed, level) => {
  expect(look(environment, exposed)?.level).toBe(level);
});

it('is only a notice if a ceiling limits what strangers can spend together', () => {
  const environment = { ...KEY, SERVICE_PLATFORM_MONTHLY_LIMIT_USD: '100' };
  expect(
    checkEntrance({ config: readConfig(KEY), environment, exposed: true } as unknown as Deployment)[0]?.level,
  ).toBe('notice');
});
