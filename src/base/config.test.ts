import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ENVIRONMENT, type Variable, type VariableName } from './environment.ts';

const BAD: Partial<Record<Variable['kind'], string[]>> = {
  url: ['not a url', 'ftp://host', 'localhost:4000'],
  'postgres-url': ['mysql://host/db', 'host=localhost'],
  'redis-url': ['http://host'],
  key32: ['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), '!!!'],
  identifier: ['Has Capitals', '1digit', 'a'.repeat(64), 'a"; drop'],
  segment: ['a/b', '..', '-a', 'two words', 'a@b', 'a?b', 'ä', 'a'.repeat(129)],
  switch: ['maybe', '2'],
  port: ['0', '65536', '-1', '80.5', 'http'],
  integer: ['-1', '1.5', 'many', '999999999999999999'],
  choice: ['nonsense'],
};

const rows = Object.entries<Variable>(ENVIRONMENT).flatMap(([name, { kind }]) => (BAD[kind] ?? []).map((value) => [name, value] as const));

describe('a bad value stops with one line that names the variable', () => {
  it.each(rows)('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} takes [^\n]+\\.$`));
  });

  it('and never repeats the value, which may be a secret in the wrong place', () => {
    expect(() => readConfig({ BYOK_ENCRYPTION_KEY_B64: 'sk-live-secret' })).toThrow(/^(?!.*sk-live-secret)/);
  });
});

describe('values', () => {
  it('default as the table says when absent, empty or blank', () => {
    for (const absent of [undefined, '', '   ']) {
      const environment = Object.fromEntries(Object.keys(ENVIRONMENT).map((name) => [name, absent]));
      const config = readConfig(environment);
      for (const [name, variable] of Object.entries<Variable>(ENVIRONMENT)) {
        expect(config[name as VariableName]).toEqual('default' in variable ? variable.default : undefined);
      }
    }
  });

  it.each([
    ['CHAT_REQUIRE_BYOK', 'true', true],
    ['CHAT_REQUIRE_BYOK', 'TRUE', true],
    ['SERVICE_GATEWAY_ALLOW_PRIVATE', '1', true],
    ['DISABLE_KV_STORE', 'false', false],
    ['SERVICE_DB_POOL_MAX', '10', 10],
    ['SERVICE_INTEGRATIONS_URL', 'off', 'off'],
    ['SERVICE_PUBLIC_URL', 'https://agents.example/', 'https://agents.example'],
    ['SERVICE_SANDBOX_URL', 'unix:/run/sandbox.sock', 'unix:/run/sandbox.sock'],
    ['BROKER_GROUP_CHAT', 'eu-1.chat_blue', 'eu-1.chat_blue'],
    ['SERVICE_PROCESS_ROLE', 'anything at all', 'anything at all'],
    ['BYOK_ENCRYPTION_KEY_B64', Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 7)],
  ] as const)('%s=%s is read as %j', (name, text, value) => {
    expect(readConfig({ [name]: text })[name]).toEqual(value);
  });

  it('accept only nango as the integration provider', () => {
    expect(() => readConfig({ SERVICE_INTEGRATIONS_PROVIDER: 'other' })).toThrow('SERVICE_INTEGRATIONS_PROVIDER takes only nango.');
  });
});
