import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CLIENT,
  type HostileProvider,
  startHostileProvider,
} from '../../../../test/support/openid/hostile-provider.ts';
import { readConfig } from '../../../base/config.ts';
import type { Deployment } from './deployment.ts';
import { checkOpenIdProvider, checkOpenIdVariables } from './openid-checks.ts';

let provider: HostileProvider;
beforeAll(async () => {
  provider = await startHostileProvider();
});
afterAll(() => provider.close());

const CONFIGURED = {
  SERVICE_OIDC_CLIENT_ID: CLIENT.id,
  SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
};
const at = (environment: Record<string, string>): Deployment =>
  ({
    config: readConfig({ ...CONFIGURED, SERVICE_OIDC_ISSUER: provider.url, ...environment }),
    publicUrl: 'https://agents.example.com',
    isWithheld: () => false,
  }) as unknown as Deployment;
const levels = async (environment: Record<string, string> = {}) =>
  (await checkOpenIdProvider(at(environment))).map(({ level }) => level);

it('says what to register at a provider that answers', async () => {
  const findings = await checkOpenIdProvider(at({}));
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'notice', 'ok']);
  expect(findings[1]?.what).toContain('https://agents.example.com/api/auth/openid/callback');
});

it('tells a provider that does not answer from one that is another issuer', async () => {
  expect(await levels({ SERVICE_OIDC_ISSUER: 'http://127.0.0.1:9' })).toEqual(['fault']);
  provider.metadata = { issuer: 'https://issuer.example' };
  expect((await checkOpenIdProvider(at({})))[0]?.what).toContain('is not the discovery document');
  provider.metadata = {};
});

it('asks for an account that may use its password where the provider is the only way in', () => {
  expect(checkOpenIdVariables(at({ SERVICE_OIDC_ONLY: '1' })).map(({ level }) => level)).toEqual(['ok', 'warning']);
  const owner = { SERVICE_OIDC_ONLY: '1', SERVICE_OIDC_BREAK_GLASS: 'owner@example.com' };
  expect(checkOpenIdVariables(at(owner)).map(({ level }) => level)).toEqual(['ok']);
});
