import { expect, it } from 'vitest';
import { ENVIRONMENT_LIMITS, PACKAGE_HOSTS } from '../../contract/environments/environment-rules.ts';
import type { RunEnvironment } from '../../runs/environments/environment.ts';
import { LIMITS, TIME_LIMIT_MS } from '../../sandbox/limits.ts';
import { createBody } from '../../sandbox/protocol.ts';
import { mergeSetups } from '../merge-setups.ts';
import { setupOf } from './prepare-environment.ts';

const environment = (some: Partial<RunEnvironment> = {}): RunEnvironment => ({
  id: 'env_1',
  organizationId: 'org_1',
  workspaceId: 'ws_1',
  name: 'node',
  setup: '',
  variables: {},
  secrets: [],
  secretVariables: [],
  hosts: [],
  writableHosts: [],
  repository: undefined,
  minutes: undefined,
  memoryMiB: undefined,
  createdBy: 'usr_1',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...some,
});
const SECRETS = new Map([
  ['TOKEN', 'sk-never-inside'],
  ['GIVEN', 'sk-given-inside'],
]);

it('takes no more than a run has without an environment', () => {
  expect(ENVIRONMENT_LIMITS.maxMinutes * 60_000).toBe(TIME_LIMIT_MS);
  expect(ENVIRONMENT_LIMITS.maxMemoryMib * 1024 ** 2).toBe(LIMITS.memoryBytes.default);
  expect(setupOf(environment({ minutes: 5, memoryMiB: 128 }), new Map(), false)).toMatchObject({
    timeLimitMs: 300_000,
    memoryBytes: 128 * 1024 ** 2,
  });
});

it('gives commands placeholders of secrets, always the same, and the value only where that is wanted', () => {
  const wanted = environment({
    variables: { STAGE: 'test' },
    secrets: ['GIVEN', 'TOKEN'],
    secretVariables: ['GIVEN'],
    hosts: ['api.example.com'],
  });
  const { env = {}, network, about } = setupOf(wanted, SECRETS, false);
  expect(env).toEqual({
    STAGE: 'test',
    GIVEN: 'sk-given-inside',
    TOKEN: expect.stringMatching(/^placeholder-token-[0-9a-f]{24}$/),
  });
  expect(setupOf(wanted, SECRETS, false).env).toEqual(env);
  expect(setupOf({ ...wanted, id: 'env_2' }, SECRETS, false).env?.['TOKEN']).not.toBe(env['TOKEN']);
  expect(network?.secrets).toContainEqual({ placeholder: env['TOKEN'], value: 'sk-never-inside' });
  expect(about).toContain('These variables hold placeholders: TOKEN.');
  expect(about).not.toContain('sk-');
});

it('opens hosts by name: to read, to write, and those of packages without secrets', () => {
  const { network } = setupOf(
    environment({
      hosts: ['package-registries', 'api.example.com', 'both.example.com', 'pypi.org'],
      writableHosts: ['both.example.com'],
    }),
    SECRETS,
    false,
  );
  const brokers = new Map(network?.brokers?.map((broker) => [broker.host, broker]));
  expect([...brokers.keys()].toSorted()).toEqual(
    [...new Set([...PACKAGE_HOSTS, 'api.example.com', 'both.example.com'])].toSorted(),
  );
  expect(brokers.get('registry.npmjs.org')).toMatchObject({
    target: 'https://registry.npmjs.org',
    methods: ['GET', 'HEAD'],
    fills: false,
    publicOnly: true,
  });
  expect(brokers.get('api.example.com')).toMatchObject({ methods: ['GET', 'HEAD'], fills: true });
  // Named besides, it gets secrets.
  expect(brokers.get('pypi.org')).toMatchObject({ methods: ['GET', 'HEAD'], fills: true });
  expect(brokers.get('both.example.com')?.methods).toContain('DELETE');
  expect(brokers.get('both.example.com')?.fills).toBe(true);
});

it('fits what the controller takes, at its largest', () => {
  const names = (count: number, prefix: string): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}.example.com`);
  const variables = Object.fromEntries(
    Array.from({ length: ENVIRONMENT_LIMITS.variables }, (_, index) => [`V${index}`, 'x'.repeat(8_000)]),
  );
  const secrets = new Map(
    Array.from({ length: ENVIRONMENT_LIMITS.secrets }, (_, index) => [`S${index}`, 'x'.repeat(8_192)]),
  );
  const { env, network } = mergeSetups(
    setupOf(
      environment({
        variables,
        secrets: [...secrets.keys()],
        hosts: [...names(ENVIRONMENT_LIMITS.hosts - 1, 'read'), 'package-registries'],
        writableHosts: names(ENVIRONMENT_LIMITS.hosts, 'write'),
      }),
      secrets,
      false,
    ),
  );
  expect(createBody.safeParse({ env, network }).error).toBeUndefined();
});
