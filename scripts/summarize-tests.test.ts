import { describe, expect, it } from 'vitest';
import { summarizeTests, type TestOutcome, type TestRun } from './summarize-tests.ts';

const REDIS = { kind: 'missing', reason: 'redis-server is not installed' } as const;
const OUTCOMES: TestOutcome[] = [
  { project: 'unit', state: 'passed' },
  { project: 'unit', state: 'passed' },
  { project: 'flows', state: 'skipped', leftOut: REDIS },
  { project: 'flows', state: 'skipped', leftOut: REDIS },
  { project: 'flows', state: 'skipped', leftOut: { kind: 'impossible', reason: 'needs Linux' } },
  { project: 'flows', state: 'skipped', leftOut: { kind: 'opt-in', reason: 'no provider is named' } },
  { project: 'flows', state: 'skipped' },
];
const summarize = (more: Partial<TestRun> = {}): ReturnType<typeof summarizeTests> =>
  summarizeTests({
    outcomes: OUTCOMES,
    errors: 0,
    projectMs: new Map([
      ['unit', 1_500],
      ['flows', 61_000],
    ]),
    fileMs: new Map([
      ['a.test.ts', 10],
      ['b.test.ts', 2_000],
    ]),
    strict: false,
    ...more,
  });

describe('the summary of a test run', () => {
  it('ends with the tally on a line of its own', () => {
    expect(summarize().lines.at(-1)).toBe('2 passed, 0 failed, 5 skipped');
  });

  it('names seconds and tests per project, and the slowest files first', () => {
    const { lines } = summarize();
    expect(lines.slice(0, 3)).toEqual([
      'Projects',
      '  unit             1.5 s  2 passed, 0 failed, 0 skipped',
      '  flows           61.0 s  0 passed, 0 failed, 5 skipped',
    ]);
    expect(lines.slice(4, 7)).toEqual(['Slowest files', '     2.0 s  b.test.ts', '     0.0 s  a.test.ts']);
  });

  it('says once per reason how many tests were not run', () => {
    expect(summarize().lines.slice(8, 12)).toEqual([
      'Not run',
      '     2 tests  left out: redis-server is not installed',
      '     1 test   left out, not for this machine: needs Linux',
      '     1 test   opt-in: no provider is named',
    ]);
    expect(summarize({ outcomes: OUTCOMES.slice(0, 2) }).lines).toContain('Nothing was left out.');
  });

  it('counts in CI what the machine lacks as failed, and nothing else that was not run', () => {
    const { lines, failed } = summarize({ strict: true });
    expect([lines.at(-1), failed]).toEqual(['2 passed, 2 failed, 3 skipped', 2]);
  });

  it('counts errors that belong to no test', () => {
    expect(summarize({ errors: 1 }).lines.at(-1)).toBe('2 passed, 1 failed, 5 skipped');
  });
});
