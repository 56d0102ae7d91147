import { expect, it } from 'vitest';
import { toFilter } from './to-filter.ts';

it('asks for outcomes, with the steps of runs when a tool is looked for', () => {
  const outcomes = 'tool.observed,tool.failed,job.queued,job.completed,job.failed,job.aborted';
  expect(toFilter({}, undefined).kind).toBe(outcomes);
  expect(toFilter({ kind: 'nonsense' }, undefined).kind).toBe(outcomes);
  expect(toFilter({ app: 'github' }, undefined).kind).toBe(`${outcomes},job.progress`);
  expect(toFilter({ kind: 'all' }, undefined).kind).toBeUndefined();
  expect(toFilter({ kind: 'job.failed' }, undefined).kind).toBe('job.failed');
});

it('takes whole days, the last one included', () => {
  const { since, until } = toFilter({ since: '2026-03-04', until: '2026-03-04' }, 'ws_1');
  expect(since).toBe(new Date(2026, 2, 4).toISOString());
  expect(until).toBe(new Date(2026, 2, 5).toISOString());
  expect(toFilter({ since: 'soon' }, undefined).since).toBeUndefined();
});
