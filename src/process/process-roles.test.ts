import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../base/config.ts';
import { ENVIRONMENT } from '../base/environment.ts';
import {
  executeConcurrencyOf,
  groupOf,
  PROCESS_ROLES,
  type ProcessRole,
  resolveRole,
  type RoleRow,
  RUNTIME_ROLES,
  WORKER_ROLES,
} from './process-roles.ts';

// The table of the specification, written out again so that a change of ours shows.
const TABLE = [
  ['api', true, 'service-api', 'BROKER_GROUP_API'],
  ['driver', false, 'service-driver', 'BROKER_GROUP_DRIVER'],
  ['worker-chat', false, 'service-chat', 'BROKER_GROUP_CHAT'],
  ['worker-control', false, 'service-control', 'BROKER_GROUP_CONTROL'],
  ['worker-codex', false, 'service-codex', 'BROKER_GROUP_CODEX'],
] as const;

describe('process roles', () => {
  it('include the five of the specification', () => {
    expect(RUNTIME_ROLES).toEqual(expect.arrayContaining(TABLE.map(([role]) => role)));
  });

  it.each(RUNTIME_ROLES)('%s is described to operators', (role) => {
    const { groupVariable, metricsOffset, executeConcurrency }: RoleRow = PROCESS_ROLES[role];
    expect(ENVIRONMENT.SERVICE_PROCESS_ROLE.help).toContain(role);
    if (metricsOffset !== undefined) expect(ENVIRONMENT.SERVICE_METRICS_PORT.help).toContain(role);
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operators/runtime.md'), 'utf8');
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${role}\` |`));
    expect(row?.split('|').map((cell) => cell.trim())).toEqual(
      expect.arrayContaining([
        `\`${groupOf(role, readConfig({}))}\``,
        `\`${groupVariable}\``,
        String(executeConcurrency ?? ''),
      ]),
    );
  });

  it('have metrics ports of their own', () => {
    const offsets = Object.values<RoleRow>(PROCESS_ROLES).flatMap(({ metricsOffset = [] }) => metricsOffset);
    expect(new Set([0, 1, ...offsets]).size).toBe(offsets.length + 2);
  });

  it.each(TABLE)('%s: binds a port %s, group %s, overridden by %s', (role, bindsPort, group, variable) => {
    expect(resolveRole(role)).toBe(role);
    expect(PROCESS_ROLES[role].bindsPort).toBe(bindsPort);
    expect(PROCESS_ROLES[role].sendsHeartbeats).toBe(role === 'api');
    expect(groupOf(role, readConfig({}))).toBe(group);
    expect(groupOf(role, readConfig({ [variable]: 'elsewhere' }))).toBe('elsewhere');
  });

  it('rule 1: an absent role is api, and an empty one counts as absent', () => {
    expect(resolveRole(undefined)).toBe('api');
    expect(resolveRole('')).toBe('api');
    expect(resolveRole(readConfig({ SERVICE_PROCESS_ROLE: '' }).SERVICE_PROCESS_ROLE)).toBe('api');
  });

  it.each([
    'all',
    'API',
    'worker',
    'worker-chat2',
    'constructor',
    'toString',
    '__proto__',
    ' ',
    ' api',
    'worker-chat ',
    '\tdriver',
  ])('rule 2: %j resolves to all, in the api group, without port or functions', (raw) => {
    expect(resolveRole(readConfig({ SERVICE_PROCESS_ROLE: raw }).SERVICE_PROCESS_ROLE)).toBe('all');
    expect(groupOf('all', readConfig({ BROKER_GROUP_API: 'front' }))).toBe('front');
    expect(PROCESS_ROLES.all).toMatchObject({ bindsPort: false, registersFunctions: false, sendsHeartbeats: false });
  });

  it('rule 4: the concurrency override constrains only the worker roles', () => {
    const workers = (Object.keys(PROCESS_ROLES) as ProcessRole[]).filter(
      (role) => executeConcurrencyOf(role, readConfig({ SERVICE_BROKER_EXECUTE_CONCURRENCY: '7' })) === 7,
    );
    expect(workers).toEqual(WORKER_ROLES);
    for (const role of ['api', 'driver', 'all'] as const)
      expect(executeConcurrencyOf(role, readConfig({ SERVICE_BROKER_EXECUTE_CONCURRENCY: '7' }))).toBeUndefined();
    for (const role of workers) expect(executeConcurrencyOf(role, readConfig({}))).toBeGreaterThan(0);
  });
});
