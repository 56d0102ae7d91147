import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../base/config.ts';
import { readOpenIdSettings } from './openid-settings.ts';

const WHOLE = {
  SERVICE_OIDC_ISSUER: 'https://id.example.com/realms/main/',
  SERVICE_OIDC_CLIENT_ID: 'service',
  SERVICE_OIDC_CLIENT_SECRET: 'secret',
};
const read = (environment: Record<string, string>) => readOpenIdSettings(readConfig(environment));

it('keeps the issuer as it is, with its final slash', () => {
  expect(read(WHOLE)).toMatchObject({ issuer: WHOLE.SERVICE_OIDC_ISSUER, name: 'id.example.com', only: false });
  expect(read({})).toBeUndefined();
});

it.each<[Record<string, string>, string]>([
  [{ SERVICE_OIDC_CLIENT_ID: 'service' }, 'SERVICE_OIDC_CLIENT_ID is set, but SERVICE_OIDC_ISSUER is not'],
  [{ SERVICE_OIDC_ONLY: '1' }, 'SERVICE_OIDC_ONLY is set, but SERVICE_OIDC_ISSUER is not'],
  [{ ...WHOLE, SERVICE_OIDC_CLIENT_SECRET: '' }, 'SERVICE_OIDC_CLIENT_SECRET is not'],
  [{ ...WHOLE, SERVICE_OIDC_ISSUER: 'http://id.example.com' }, 'SERVICE_OIDC_ISSUER takes an https URL'],
  [{ ...WHOLE, SERVICE_OIDC_ISSUER: 'https://id.example.com/?a=b' }, 'SERVICE_OIDC_ISSUER takes a URL without query'],
  [{ ...WHOLE, SERVICE_OIDC_ISSUER: 'https://accounts.google.com' }, 'SERVICE_OIDC_ALLOWED_DOMAINS is not set'],
  [{ ...WHOLE, SERVICE_OIDC_ALLOWED_DOMAINS: 'example' }, 'SERVICE_OIDC_ALLOWED_DOMAINS takes domain names'],
  [{ ...WHOLE, SERVICE_OIDC_BREAK_GLASS: 'owner' }, 'SERVICE_OIDC_BREAK_GLASS takes an email address'],
  [{ ...WHOLE, SERVICE_OIDC_GROUPS: '/nowhere.json' }, 'SERVICE_OIDC_GROUPS names /nowhere.json, which cannot be read'],
])('%j stops the process at start with one line', (environment, line) => {
  expect(() => read(environment)).toThrow(ConfigError);
  expect(() => read(environment)).toThrow(line);
  expect(() => read(environment)).toThrow(/^[^\n]*$/);
});

it('reaches a provider over http on this machine, and elsewhere only with the switch for private addresses', () => {
  expect(read({ ...WHOLE, SERVICE_OIDC_ISSUER: 'http://127.0.0.1:8080' })?.insecure).toBe(true);
  const elsewhere = { ...WHOLE, SERVICE_OIDC_ISSUER: 'http://keycloak:8080', SERVICE_ALLOW_PRIVATE_URLS: '1' };
  expect(read(elsewhere)?.insecure).toBe(true);
  expect(read(WHOLE)?.insecure).toBe(false);
});
