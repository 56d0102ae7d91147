import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, type Variable } from '../base/environment.ts';
import { partEnvironment } from './part-environment.ts';
import { type PartName, type PartRow, PARTS, selectParts } from './parts.ts';
import { SECRET_READERS } from './secret-readers.ts';

const ALL = Object.keys(PARTS);
const select = (environment: Record<string, string>): string[] => selectParts(PARTS, environment, () => true);
const without = (...names: PartName[]): string[] => ALL.filter((name) => !names.includes(name as PartName));
const rowOf = (name: string): PartRow => PARTS[name as PartName];

describe('the parts that npm start selects', () => {
  it('are all of them in an empty environment', () => {
    expect(select({})).toEqual(ALL);
  });

  it.each([
    ['SERVICE_UPSTREAM_DB', 'postgresql://u:p@h/d', 'postgres'],
    ['SERVICE_BROKER_URL', 'http://broker', 'broker'],
    ['SERVICE_INTEGRATIONS_URL', 'http://nango', 'local-integrations'],
    ['SERVICE_INTEGRATIONS_URL', 'off', 'local-integrations'],
    ['OPENAI_API_KEY', 'k', 'demo-providers'],
    ['ANTHROPIC_API_KEY', 'k', 'demo-providers'],
    ['OPENAI_API_URL', 'http://a', 'demo-providers'],
    ['ANTHROPIC_API_URL', 'http://b', 'demo-providers'],
    ['SERVICE_SMTP_URL', 'smtp://mail', 'local-mailbox'],
    ['SERVICE_SMTP_URL', 'off', 'local-mailbox'],
    ['SERVICE_SANDBOX_URL', 'http://sandbox', 'sandbox'],
  ] as const)('leave out, with %s=%s, only %s', (name, value, part) => {
    expect(select({ [name]: value })).toEqual(without(part));
    expect(select({ [name]: ' ' })).toEqual(ALL);
  });

  it('leave out what was not built', () => {
    expect(selectParts(PARTS, {}, (bundle) => bundle !== 'runtime')).toEqual(
      ALL.filter((name) => !name.startsWith('runtime-')),
    );
  });

  it('keep the sandbox controller under another socket name', () => {
    expect(select({ SERVICE_SANDBOX_URL: 'unix:/run/s.sock' })).toEqual(ALL);
  });

  it('wait only for parts that start before them', () => {
    for (const [index, name] of ALL.entries())
      for (const before of rowOf(name).after) expect(ALL.slice(0, index)).toContain(before);
  });
});

describe('the environment of a part', () => {
  const everything = Object.fromEntries(
    [...Object.keys(ENVIRONMENT), 'PATH', 'LC_ALL', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN'].map((name) => [
      name,
      `value of ${name}`,
    ]),
  );

  it.each(ALL)('of %s holds the secrets that name it and no other', (name) => {
    const given = partEnvironment(name, rowOf(name), everything);
    for (const [secret, readers] of Object.entries<readonly string[]>(SECRET_READERS))
      expect([secret, secret in given]).toEqual([secret, readers.includes(name)]);
    expect(given).toMatchObject({ PATH: 'value of PATH', LC_ALL: 'value of LC_ALL' });
    expect(given).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
    expect(given).not.toHaveProperty('GITHUB_TOKEN');
  });

  it.each(ALL)('of %s holds AUTH_SECRET in the place of a connect secret only while there is none', (name) => {
    const { SERVICE_CONNECT_JWT_SECRET: _, ...without } = everything;
    const signs = /^(?:web|runtime-api|runtime-worker-.+)$/.test(name);
    for (const environment of [without, { ...without, SERVICE_CONNECT_JWT_SECRET: ' ' }])
      expect('AUTH_SECRET' in partEnvironment(name, rowOf(name), environment)).toBe(signs);
    expect('AUTH_SECRET' in partEnvironment(name, rowOf(name), everything)).toBe(name === 'web');
  });

  it('gives the gateway no secret at all, but the addresses it routes to', () => {
    const given = partEnvironment('gateway', PARTS.gateway, everything);
    const secrets = Object.entries<Variable>(ENVIRONMENT)
      .filter(([, { secret }]) => secret)
      .map(([name]) => name);
    expect(Object.keys(given).filter((name) => secrets.includes(name))).toEqual([]);
    expect(given).toHaveProperty('SERVICE_INTEGRATIONS_URL');
  });

  it('gives the database of the integration provider to the api role only', () => {
    expect(
      ALL.filter((name) => 'SERVICE_INTEGRATIONS_DATABASE_URL' in partEnvironment(name, rowOf(name), everything)),
    ).toEqual(['runtime-api']);
  });

  it('names the role of a runtime process and never passes on the one of the caller', () => {
    expect(partEnvironment('runtime-driver', PARTS['runtime-driver'], everything).SERVICE_PROCESS_ROLE).toBe('driver');
    expect(partEnvironment('web', PARTS.web, everything)).not.toHaveProperty('SERVICE_PROCESS_ROLE');
  });

  it('reaches every group of variables somewhere', () => {
    const reached = new Set(ALL.flatMap((name) => [...rowOf(name).groups]));
    for (const { group } of Object.values<Variable>(ENVIRONMENT)) expect(reached).toContain(group);
  });
});
