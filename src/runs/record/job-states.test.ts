import { describe, expect, it } from 'vitest';
import { FINAL_STATUSES, isFinal, JOB_STATUSES, type JobReceiptKind, nextStatus, TRANSITIONS } from './job-states.ts';

const KINDS = Object.keys(TRANSITIONS) as JobReceiptKind[];
const pairs = KINDS.flatMap((kind) =>
  JOB_STATUSES.map((from) => nextStatus(from, kind)).map((to, at) => ({ kind, from: JOB_STATUSES[at], to })),
).filter(({ to }) => to !== undefined);

describe('the statuses of a run', () => {
  it('move exactly as the contract says', () => {
    const moves = new Set(pairs.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} → ${to}`));
    expect([...moves].sort()).toEqual([
      'queued → aborted',
      'queued → running',
      'running → aborted',
      'running → completed',
      'running → failed',
    ]);
  });

  it.each(FINAL_STATUSES)('nothing leaves %s', (status) => {
    expect(isFinal(status)).toBe(true);
    for (const kind of KINDS) expect(nextStatus(status, kind)).toBeUndefined();
  });

  it('begin with job.queued and nothing else', () => {
    expect(KINDS.filter((kind) => nextStatus(undefined, kind) !== undefined)).toEqual(['job.queued']);
  });
});
