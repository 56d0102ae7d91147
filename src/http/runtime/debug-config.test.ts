import { expect, it } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { ENVIRONMENT, type Variable } from '../../base/environment.ts';
import { describeConfig } from './debug-config.ts';

const describe = (environment: Record<string, string>): ReturnType<typeof describeConfig> =>
  describeConfig(readConfig(environment), environment);
const one = (environment: Record<string, string>, name: string): unknown =>
  describe(environment).find((variable) => variable.name === name);

it('lists every variable of the table', () => {
  expect(describe({}).map(({ name }) => name)).toEqual(Object.keys(ENVIRONMENT));
});

it('shows where a value comes from', () => {
  expect(one({}, 'SERVICE_DB_POOL_MAX')).toMatchObject({ source: 'default', value: 2 });
  expect(one({ SERVICE_DB_POOL_MAX: '2' }, 'SERVICE_DB_POOL_MAX')).toMatchObject({ source: 'environment', value: 2 });
  expect(one({ SERVICE_DB_POOL_MAX: '' }, 'SERVICE_DB_POOL_MAX')).toMatchObject({ source: 'default' });
  expect(one({}, 'SERVICE_PUBLIC_URL')).toEqual(expect.not.objectContaining({ value: expect.anything() }));
});

it('shows the value of no secret, set or not', () => {
  const values: Record<Variable['kind'], string> = {
    text: 'a-secret-text',
    path: '/secret',
    url: 'https://secret.example',
    'postgres-url': 'postgresql://u:hidden@h/d',
    'smtp-url': 'smtp://user:hidden@h',
    'mail-address': 'a@example.com',
    'redis-url': 'redis://:hidden@h',
    key32: Buffer.alloc(32, 7).toString('base64'),
    identifier: 'secret',
    segment: 'secret',
    switch: 'true',
    'exactly-1': '1',
    port: '1',
    integer: '1',
    dollars: '1.50',
    choice: '',
    networks: '10.0.0.0/8',
    origins: 'https://app.example.com',
    domains: 'example.com',
    email: 'secret@example.com',
  };
  const secrets = Object.entries<Variable>(ENVIRONMENT).filter(([, variable]) => variable.secret);
  const environment = Object.fromEntries(secrets.map(([name, variable]) => [name, values[variable.kind]]));
  const shown = describe(environment).filter(({ secret }) => secret);
  expect(shown).toHaveLength(secrets.length);
  for (const variable of shown) expect(variable).toEqual(expect.not.objectContaining({ value: expect.anything() }));
  const text = JSON.stringify(shown);
  for (const value of ['a-secret-text', 'hidden', values.key32]) expect(text).not.toContain(value);
});

it('takes credentials out of an address that should have had none', () => {
  expect(
    one(
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:pass@collector.example/base?key=abc' },
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ),
  ).toMatchObject({ value: 'https://collector.example/base' });
});
