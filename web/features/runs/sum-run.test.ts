import { expect, it } from 'vitest';
import type { RunEvent } from './queries.ts';
import { sumRun } from './sum-run.ts';

const progress = (id: number, attempt: number, fact: Record<string, unknown>): RunEvent => ({
  id,
  type: 'job.progress',
  at: `2026-01-01T00:00:0${id}.000Z`,
  actor: 'system:worker-chat',
  status: 'running',
  attempt,
  data: { attempt, progress: fact },
});
const TIMES = { createdAt: '2026-01-01T00:00:00.000Z' };

it('adds up model and tool calls of every attempt', () => {
  const sum = sumRun({ ...TIMES, startedAt: '2026-01-01T00:00:01.000Z', endedAt: '2026-01-01T00:00:09.500Z' }, [
    progress(1, 1, { type: 'model', inputTokens: 10, outputTokens: 2, costMicros: 1_500 }),
    progress(2, 1, { type: 'tool.started', tool: 'bash' }),
    progress(3, 1, { type: 'tool.ended', tool: 'bash', exit: 1, ms: 5 }),
    progress(4, 2, { type: 'model', inputTokens: 20, outputTokens: 3, costMicros: 2_500 }),
    progress(5, 2, { type: 'tool.ended', tool: 'github__list-issues', ok: true, ms: 5 }),
  ]);
  expect(sum).toEqual({
    modelCalls: 2,
    toolCalls: 2,
    failedCalls: 1,
    inputTokens: 30,
    outputTokens: 5,
    waits: false,
    cost: 0.004,
    waitedMs: 1_000,
    tookMs: 8_500,
  });
});

it('takes the cost of the result where it is larger, and claims none where nothing says it', () => {
  const events = [progress(1, 1, { type: 'model', costMicros: 1_000 })];
  expect(sumRun({ ...TIMES, result: { cost: 0.5 } }, events).cost).toBe(0.5);
  expect(sumRun({ ...TIMES, result: { cost: 0.0001 } }, events).cost).toBe(0.001);
  expect(sumRun({ ...TIMES, result: 'text' }, [])).toEqual({
    modelCalls: 0,
    toolCalls: 0,
    failedCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    waits: false,
  });
});

it('does not count a call of the model before it is answered', () => {
  const events = [
    progress(1, 1, { type: 'model.started', step: 1 }),
    progress(2, 1, { type: 'model', costMicros: 1_000 }),
    progress(3, 1, { type: 'model.started', step: 2 }),
  ];
  expect(sumRun(TIMES, events)).toMatchObject({ modelCalls: 1, waits: true, cost: 0.001 });
});
