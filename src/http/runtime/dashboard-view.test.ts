import { describe, expect, it } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { RUNTIME_ROLES } from '../../process/process-roles.ts';
import type { SeenProcess } from '../../store/process-registry.ts';
import { dashboardPage } from './dashboard.ts';
import { describeFigures, duration, linePoints } from './dashboard-view.ts';
import { countRoles, type RuntimeFigures } from './figures.ts';

const at = new Date('2026-03-04T05:06:07.000Z');
const pool = { poolMax: 2, busy: 1, waiting: 0, waits: 0, statements: 10, failures: 0 };
const seen = (role: string, state: SeenProcess['state'] = 'running', host = 'h'): SeenProcess => ({
  id: `proc_${role}`,
  role,
  host,
  pid: 7,
  version: '1.0.0',
  build: 'abc',
  group: `g-${role}`,
  state,
  startedAt: new Date(at.getTime() - 65_000),
  seenAt: at,
  seenAgoSeconds: 1.4,
  figures: { rssBytes: 104_857_600 },
});
const figures = (processes: SeenProcess[]): RuntimeFigures => ({
  at,
  version: '1.0.0',
  build: 'abc',
  uptimeSeconds: 3_661,
  database: { ok: true, latencyMs: 1.25, pool },
  stored: {
    roles: countRoles(readConfig({}), processes),
    processes,
    receipts: {
      total: 12_345,
      exact: true,
      streams: 3,
      perMinute: 60,
      history: [1, 2],
      lastCheckpointAt: new Date(at.getTime() - 120_000),
    },
    runs: {
      queued: 3,
      running: 1,
      completed: 1_200,
      failed: 2,
      aborted: 0,
      exact: true,
      waiting: { dispatching: 1, broker_unavailable: 2, receipt_chain_invalid: 1 },
      chainFaults: ['hash_mismatch at index 3'],
      oldestQueuedSeconds: 4,
      endedLastMinute: 12,
    },
    chains: { broken: 1, verified: { at, streams: 3 } },
  },
  broker: {
    replicas: 2,
    leases: 5,
    groups: [
      { group: 'g-worker-chat', streams: 1, credit: 8, held: 5, waiting: { 'no credit': 3 } },
      { group: 'g-worker-codex', streams: 0, credit: 0, held: 0, waiting: {} },
    ],
  },
});

describe('the dashboard', () => {
  it('reports that all roles are running when each has a process', () => {
    const view = describeFigures(figures(RUNTIME_ROLES.map((role) => seen(role))));
    expect(view.status).toEqual({ text: 'All roles are running', tone: 'good' });
    expect(view.values).toMatchObject({
      receipts: { text: '12,345' },
      perMinute: { text: '60' },
      checkpoint: { text: '2 min ago' },
      uptime: { text: '1 h 1 min' },
      jobsQueued: { text: '3, 2 broker unavailable, 1 receipt chain invalid' },
      jobsRunning: { text: '1' },
      jobsEnded: { text: '1,200 done, 2 failed, 0 aborted' },
    });
    expect(view.at).toBe('2026-03-04 05:06:07 UTC');
  });

  it('shows groups, streams, leases, throughput and why runs wait, but not whose they are', () => {
    const view = describeFigures(figures(RUNTIME_ROLES.map((role) => seen(role))));
    expect(view.values).toMatchObject({ leases: { text: '5 over 2 brokers' }, jobsPerMinute: { text: '12' } });
    expect(view.groups.map((row) => row.map(({ text }) => text))).toEqual([
      ['g-worker-chat', '1', '5 of 8', '3', '3 no credit'],
      ['g-worker-codex', 'none', '0 of 0', '0', '–'],
    ]);
    expect(view.waiting.map(([reason, count, why]) => [reason?.text, reason?.tone, count?.text, why?.text])).toEqual([
      ['dispatching', undefined, '1', expect.stringContaining('on its way')],
      ['broker unavailable', 'bad', '2', expect.stringContaining('cannot be reached')],
      ['receipt chain invalid', 'bad', '1', expect.stringContaining('(hash_mismatch at index 3)')],
    ]);
    expect(String(dashboardPage(view))).toContain('3 no credit');
  });

  it('names the roles without a live process, the lost and the never seen', () => {
    const view = describeFigures(
      figures(
        RUNTIME_ROLES.filter((role) => role !== 'worker-control').map((role) =>
          seen(role, role === 'driver' ? 'lost' : 'running'),
        ),
      ),
    );
    expect(view.status).toEqual({ text: 'No process of driver, worker-control', tone: 'bad' });
  });

  it('shows other registered processes after those of the table', () => {
    const roles = countRoles(
      readConfig({}),
      [...RUNTIME_ROLES, 'web', 'all'].map((role) => seen(role)),
    );
    expect(roles.map(({ role }) => role)).toEqual([...RUNTIME_ROLES, 'web', 'all']);
  });

  it('stays readable while the database is down', () => {
    const view = describeFigures({
      at,
      version: '1.0.0',
      build: 'abc',
      uptimeSeconds: 5,
      database: { ok: false, reason: 'ECONNREFUSED', pool },
      stored: undefined,
    });
    expect(view.status.tone).toBe('bad');
    expect(view.values.database).toEqual({ text: 'down: ECONNREFUSED', tone: 'bad' });
    expect(String(dashboardPage(view))).toContain('Not available: the database does not respond.');
  });

  it('escapes everything that a process reports', () => {
    const page = String(dashboardPage(describeFigures(figures([seen('api', 'running', '<script>alert(1)</script>')]))));
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert');
  });

  it('loads everything by a relative address and has no inline script or style', () => {
    const page = String(dashboardPage(describeFigures(figures([]))));
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^(?:runtime\/|data:,$)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });
});

it.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [3_599, '59 min 59 s'],
  [3_600, '1 h'],
  [90_061, '1 d 1 h'],
  [-3, '0 s'],
])('%s seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it('draws a line inside its box whatever the numbers', () => {
  for (const history of [[], [5], [0, 0, 0], [1, 1_000_000, 3]]) {
    for (const point of linePoints(history).split(' ')) {
      const [x = -1, y = -1] = point.split(',').map(Number);
      expect(x >= 0 && x <= 100 && y >= 0 && y <= 24).toBe(true);
    }
  }
});
