import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../base/config.ts';
import { CHECKS } from './checks.ts';
import { judgeSpace } from './file-checks.ts';
import { fault, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';
import { runChecks } from './run-checks.ts';
import { checkClock, checkServer } from './storage-checks.ts';

const SECRET = 'a-secret-that-nobody-may-see';
const about = 'something';

/** As far as these checks look. */
function deploymentWith(rows: readonly Record<string, unknown>[] = []): Deployment {
  const config = readConfig({ AUTH_SECRET: SECRET });
  const db = { query: async () => ({ rows, rowCount: rows.length }) };
  return { config, environment: {}, storage: async () => db } as unknown as Deployment;
}

describe('a round of checks', () => {
  it('keeps their order, names the worst, and goes on after a fault', async () => {
    const {
      ok: fine,
      worst,
      findings,
    } = await runChecks(deploymentWith(), {
      a: { about, look: () => [ok('good')] },
      b: { about, look: async () => [fault('bad', 'because', 'fix it')] },
      c: { about, look: () => [warning('so so', 'because', 'fix it')] },
    });
    expect([fine, worst, findings.map(({ check, level }) => [check, level])]).toEqual([
      false,
      'fault',
      [
        ['a', 'ok'],
        ['b', 'fault'],
        ['c', 'warning'],
      ],
    ]);
  });

  it('leaves out what depends on something broken, and what depends on that', async () => {
    const looked: string[] = [];
    const { findings } = await runChecks(deploymentWith(), {
      a: { about, look: () => [fault('bad', 'because', 'fix it')] },
      b: { about, needs: ['a'], look: () => (looked.push('b'), []) },
      c: { about, needs: ['b'], look: () => (looked.push('c'), []) },
      d: { about, look: () => (looked.push('d'), []) },
    });
    expect([looked, findings.map(({ check, what }) => [check, what]).slice(1)]).toEqual([
      ['d'],
      [
        ['b', 'skipped because of a'],
        ['c', 'skipped because of b'],
      ],
    ]);
  });

  it('a check that throws is a fault of its own, without the words of the error', async () => {
    const { findings } = await runChecks(deploymentWith(), {
      a: {
        about,
        look: () => Promise.reject(Object.assign(new Error(`postgresql://u:${SECRET}@h`), { code: 'EWEIRD' })),
      },
    });
    expect(findings).toEqual([
      {
        check: 'a',
        level: 'fault',
        what: 'this could not be looked at (EWEIRD)',
        why: expect.any(String),
        fix: expect.any(String),
      },
    ]);
  });

  it('no secret leaves, whatever a check says', async () => {
    const { findings } = await runChecks(deploymentWith(), {
      a: { about, look: () => [fault(`it is ${SECRET}`, SECRET, `echo ${SECRET}`)] },
    });
    expect(JSON.stringify(findings)).not.toContain(SECRET);
    expect(findings[0]?.what).toBe('it is [secret]');
  });
});

it('every check says what it looks at, and needs only what comes before it', () => {
  const seen = new Set<string>();
  for (const [id, { about: text, needs = [] }] of Object.entries(CHECKS)) {
    expect([id, text.length > 10, needs.every((need) => seen.has(need))]).toEqual([id, true, true]);
    seen.add(id);
  }
});

describe('what cannot be broken on purpose', () => {
  it.each([
    [0, 'ok'],
    [-5_000, 'warning'],
    [90_000, 'fault'],
  ] as const)('a clock %i ms away is %s', async (away, level) => {
    const [finding] = await checkClock(deploymentWith([{ now: new Date(Date.now() + away) }]));
    expect(finding?.level).toBe(level);
  });

  const server = {
    number: 180_004,
    version: '18.4',
    encoding: 'UTF8',
    recovery: false,
    readOnly: false,
    used: 5,
    most: 100,
  };
  it.each([
    [{}, 'ok', /PostgreSQL 18\.4/],
    [{ number: 130_010, version: '13.10' }, 'fault', /version 13\.10/],
    [{ recovery: true }, 'fault', /replica/],
    [{ readOnly: true }, 'fault', /accepts no writes/],
    [{ used: 95 }, 'warning', /95 of 100 connections/],
  ] as const)('a server with %j is %s', async (change, level, what) => {
    expect(await checkServer(deploymentWith([{ ...server, ...change }]))).toContainEqual(
      expect.objectContaining({ level, what: expect.stringMatching(what) }),
    );
  });

  it.each([
    [10e9, 'ok'],
    [1e9, 'warning'],
    [1e8, 'fault'],
  ] as const)('%d free bytes are %s', (free, level) => {
    expect(judgeSpace(free, '/data').level).toBe(level);
  });
});
