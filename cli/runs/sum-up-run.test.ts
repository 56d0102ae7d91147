import { expect, it } from 'vitest';
import type { RunEvent } from './runs-api.ts';
import { sumUpRun } from './sum-up-run.ts';

const event = (type: string, progress?: Record<string, unknown>): RunEvent => ({
  id: 1,
  type,
  at: '2026-03-04T05:06:07.008Z',
  actor: 'system:worker-chat',
  status: 'running',
  attempt: 1,
  data: progress === undefined ? {} : { attempt: 1, progress },
});

it('says what the run does, since when, and what it took so far', () => {
  const summary = sumUpRun();
  const after = (type: string, progress?: Record<string, unknown>): string => {
    summary.take(event(type, progress));
    return summary.text();
  };
  expect(after('job.started')).toBe('running, attempt 1');
  const waits = { type: 'model.started', step: 1, model: 'gpt' };
  expect(after('job.progress', waits)).toBe('running, attempt 1 · waiting for the model since 05:06:07Z');
  expect(after('job.progress', { type: 'model', costMicros: 1_500 })).toBe(
    'running, attempt 1 · 1 model call, $0.0015',
  );
  expect(after('job.progress', { type: 'tool.started', tool: 'bash' })).toBe(
    'running, attempt 1 · using bash since 05:06:07Z · 1 model call, $0.0015',
  );
  summary.take(event('job.progress', { type: 'tool.ended', tool: 'bash', exit: 0 }));
  expect(after('job.progress', { type: 'model' })).toBe('running, attempt 1 · 2 model calls, $0.0015');
});
