import { expect, it } from 'vitest';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { buildManifest, isCapabilityKey, findUnusable } from './capabilities.ts';
import type { Connection } from './connection-types.ts';

const catalog = loadConnectors();
const connection = (change: Partial<Connection>): Connection => ({
  id: 'con_1',
  organizationId: 'org_1',
  workspaceId: 'ws_1',
  provider: 'github',
  name: 'default',
  kind: 'integration-reference',
  status: 'valid',
  reason: undefined,
  expiry: undefined,
  lastValidatedAt: undefined,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  policy: { actions: {}, repositories: { enforce: false, selected: [] }, push: 'off' },
  sealed: { ciphertext: Buffer.from('x'), iv: Buffer.from('x'), authTag: Buffer.from('x') },
  ...change,
});

it('is offline without capabilities and online with any, usable or not', () => {
  expect(buildManifest([], catalog)).toEqual({ status: 'offline', capabilities: {} });
  expect(buildManifest([connection({ status: 'invalid' })], catalog).status).toBe('online');
});

it('has exactly the specified fields, the expiry only when there is one', () => {
  const { capabilities } = buildManifest(
    [connection({}), connection({ name: 'work', expiry: new Date(1_000) })],
    catalog,
  );
  const fields = [
    'command',
    'connectionId',
    'discoveredAt',
    'metadata',
    'name',
    'provider',
    'source',
    'status',
    'transport',
  ];
  expect(Object.keys(capabilities['github'] ?? {}).sort()).toEqual(fields);
  expect(Object.keys(capabilities['github.work'] ?? {}).sort()).toEqual([...fields, 'expiresAt'].sort());
  expect(capabilities['github.work']).toMatchObject({
    provider: 'github',
    name: 'work',
    status: 'valid',
    connectionId: 'con_1',
    expiresAt: '1970-01-01T00:00:01.000Z',
  });
});

it('names the command line and the profile of a command-backed connector', () => {
  const { capabilities } = buildManifest(
    [connection({ provider: 'aws' }), connection({ provider: 'google-cloud', name: 'prod' })],
    catalog,
  );
  expect(capabilities['aws']).toMatchObject({ command: 'aws', transport: 'cli', metadata: { profile: 'service' } });
  expect(capabilities['google-cloud.prod']).toMatchObject({
    command: 'gcloud',
    transport: 'proxy',
    metadata: { profile: 'service-prod' },
  });
});

it('names what can be done with it: tools are called, an imported token of a code host is for git in a run', () => {
  const { capabilities } = buildManifest(
    [connection({ name: 'work' }), connection({ kind: 'code-host-token' })],
    catalog,
  );
  expect(capabilities['github.work']).toMatchObject({ command: 'servicectl call github:work', transport: 'proxy' });
  expect(capabilities['github']).toMatchObject({ command: 'git', transport: 'cli', source: 'import' });
});

it('refuses what is absent or unusable, naming it', () => {
  const manifest = buildManifest([connection({}), connection({ name: 'old', status: 'expired' })], catalog);
  const unusable = ['github.old', 'slack', 'toString', '__proto__'];
  expect(
    findUnusable(manifest, ['github', ...unusable]).map(({ code, details }) => [code, details['capability']]),
  ).toEqual(unusable.map((key) => ['capability_unusable', key]));
});

it.each([
  ['github', true],
  ['github.work', true],
  ['google-drive', true],
  ['nobody', false],
  ['nobody.github', false],
  ['constructor', false],
  ['__proto__.x', false],
])('%s is a capability key: %s', (text, is) => {
  expect(isCapabilityKey(catalog, text)).toBe(is);
});
