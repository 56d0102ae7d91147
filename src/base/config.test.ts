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
  dollars: ['-1', '1.505', '1.', '.5', '1,50', '$5', 'many', '1000000000.01'],
  choice: ['nonsense'],
};

const rows = Object.entries<Variable>(ENVIRONMENT).flatMap(([name, { kind }]) =>
  (BAD[kind] ?? []).map((value) => [name, value] as const),
);

describe('a bad value stops with one line that names the variable', () => {
  it.each(rows)('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} takes [^\n]+\\.$`));
  });

  it('and never repeats the value, which may be a secret in the wrong place', () => {
    expect(() => readConfig({ BYOK_ENCRYPTION_KEY_B64: 'sk-live-secret' })).toThrow(/^(?!.*sk-live-secret)/);
  });
});

describe('values', () => {
  it('fall back to the default of the table when absent, empty or blank', () => {
    for (const absent of [undefined, '', '   ']) {
      const trimmed = Object.entries<Variable>(ENVIRONMENT).filter(
        ([, { exact }]) => absent?.trim() === absent || !exact,
      );
      const config = readConfig(Object.fromEntries(trimmed.map(([name]) => [name, absent])));
      for (const [name, variable] of trimmed) {
        expect(config[name as VariableName]).toEqual('default' in variable ? variable.default : undefined);
      }
    }
  });

  it('that weaken security are on for exactly 1 and off for everything else', () => {
    const doors = Object.entries<Variable>(ENVIRONMENT)
      .filter(([, { kind }]) => kind === 'exactly-1')
      .map(([name]) => name as VariableName);
    expect(doors).toEqual(['SERVICE_GATEWAY_ALLOW_PRIVATE', 'SERVICE_BROKER_ALLOW_OPEN']);
    for (const name of doors) {
      expect(readConfig({ [name]: '1' })[name]).toBe(true);
      for (const other of ['true', 'TRUE', ' 1', '1 ', '1\n', '01', '1.0', '11', 'yes', 'on', '0', ' ', ''])
        expect([other, readConfig({ [name]: other })[name]]).toEqual([other, false]);
    }
  });

  it('that are exact keep their blanks', () => {
    for (const role of [' ', ' worker-chat', 'api ', '\tdriver'])
      expect(readConfig({ SERVICE_PROCESS_ROLE: role }).SERVICE_PROCESS_ROLE).toBe(role);
    for (const exposure of [' private', 'private ', ' '])
      expect(() => readConfig({ SERVICE_GATEWAY_EXPOSURE: exposure })).toThrow(
        'SERVICE_GATEWAY_EXPOSURE takes one of public, private.',
      );
  });

  it.each([
    ['CHAT_REQUIRE_BYOK', 'true', true],
    ['CHAT_REQUIRE_BYOK', 'TRUE', true],
    ['SERVICE_GATEWAY_ALLOW_PRIVATE', '1', true],
    ['SERVICE_ALLOW_PRIVATE_URLS', '1', true],
    ['DISABLE_KV_STORE', 'false', false],
    ['SERVICE_DB_POOL_MAX', '10', 10],
    ['SERVICE_PLATFORM_MONTHLY_LIMIT_USD', '12.50', 12.5],
    ['SERVICE_PLATFORM_MONTHLY_LIMIT_USD', '0', 0],
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
    expect(() => readConfig({ SERVICE_INTEGRATIONS_PROVIDER: 'other' })).toThrow(
      'SERVICE_INTEGRATIONS_PROVIDER takes only nango.',
    );
  });
});
