import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FINAL_STATUSES,
  foldRun,
  foldReceipt,
  ImpossibleReceipt,
  isFinal,
  RUN_STATUSES,
  type RunReceiptKind,
  type RunState,
  nextStatus,
  TRANSITIONS,
} from './run-states.ts';

const KINDS = Object.keys(TRANSITIONS) as RunReceiptKind[];
const pairs = KINDS.flatMap((kind) =>
  RUN_STATUSES.map((from) => nextStatus(from, kind)).map((to, at) => ({ kind, from: RUN_STATUSES[at], to })),
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

  it('begin with job.queued only', () => {
    expect(KINDS.filter((kind) => nextStatus(undefined, kind) !== undefined)).toEqual(['job.queued']);
  });
});

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

describe('a run folded from its receipts', () => {
  it('counts attempts and keeps its times', () => {
    const facts = ['job.queued', 'job.started', 'job.progress', 'job.retried', 'job.completed'].map((kind, second) => ({
      kind,
      at: at(second),
    }));
    expect(foldRun(facts)).toEqual({
      status: 'completed',
      attempt: 2,
      createdAt: at(0),
      startedAt: at(1),
      endedAt: at(4),
    });
  });

  it('is undefined without receipts, and refuses receipts of other kinds', () => {
    expect(foldRun([])).toBeUndefined();
    expect(() => foldRun([{ kind: 'tool.called', at: at(0) }])).toThrow(ImpossibleReceipt);
  });

  it('accepts what the table allows and refuses the rest, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KINDS), { maxLength: 30 }), (wanted) => {
        let state: RunState | undefined;
        const taken: { kind: string; at: string }[] = [];
        for (const [second, kind] of wanted.entries()) {
          const fact = { kind, at: at(second) };
          const to = nextStatus(state?.status, kind);
          if (to === undefined) {
            expect(() => foldReceipt(state, fact)).toThrow(ImpossibleReceipt);
            continue;
          }
          taken.push(fact);
          state = foldReceipt(state, fact);
          expect(state.status).toBe(to);
          expect(state.endedAt !== undefined).toBe(isFinal(to));
        }
        expect(foldRun(taken)).toEqual(state);
        expect(
          taken.filter(({ kind }) => ['job.completed', 'job.failed', 'job.aborted'].includes(kind)).length,
        ).toBeLessThanOrEqual(1);
      }),
    );
  });
});
