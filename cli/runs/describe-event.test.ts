import { expect, it } from 'vitest';
import { describeEvent } from './describe-event.ts';
import type { RunEvent } from './runs-api.ts';

const AT = '2026-03-04T05:06:07.008Z';
const event = (type: string, data: unknown = {}, detail?: unknown): RunEvent => ({
  id: 1,
  type,
  at: AT,
  actor: 'system:worker-chat',
  status: 'running',
  attempt: 1,
  data,
  ...(detail === undefined ? {} : { detail }),
});
const progress = (fact: Record<string, unknown>, detail?: unknown): RunEvent =>
  event('job.progress', { attempt: 1, progress: fact }, detail);

it.each([
  [event('job.queued', { objective: { bytes: 4 } }), 'queued'],
  [
    event('job.retried', { attempt: 2, reason: 'worker_lost' }),
    'restarted: its worker was lost  attempt=2 reason=worker_lost',
  ],
  [event('job.failed', { attempt: 1, code: 'told_to' }), 'failed  attempt=1 code=told_to'],
  [event('job.aborted', { from: 'running', attempt: 1 }), 'aborted'],
  [event('job.aborted', { from: 'running', attempt: 1, reason: 'token_revoked' }), 'aborted: token_revoked'],
  [event('job.completed', { result: { bytes: 1 } }), 'completed'],
  [event('job.paused'), 'job.paused'],
  [
    progress({ type: 'began', model: 'service/auto', sandbox: 'bubblewrap', tools: 2 }),
    'begins with service/auto, 2 tools, sandbox bubblewrap',
  ],
  [
    progress({
      type: 'began',
      engine: 'codex',
      model: 'service/auto',
      sandbox: 'bubblewrap',
      limits: { memory: 'cgroup' },
    }),
    'begins with service/auto, sandbox bubblewrap',
  ],
  [progress({ type: 'model.started', step: 1, model: 'service/auto' }), 'waits for service/auto'],
  [
    progress({ type: 'model', model: 'service/auto', inputTokens: 218, outputTokens: 11, costMicros: 546, step: 1 }),
    'service/auto answers: 218 tokens in, 11 out, $0.0005',
  ],
  [
    progress({ type: 'tool.started', tool: 'bash', step: 1, detail: { sha256: 'x' } }, { command: 'echo a\n  ls' }),
    'bash $ echo a ls',
  ],
  [
    progress({ type: 'tool.started', tool: 'github__list-issues', step: 1 }, { owner: 'acme' }),
    'github__list-issues {"owner":"acme"}',
  ],
  [
    progress({ type: 'tool.ended', tool: 'bash', step: 1, exit: 0, ms: 70, detail: { sha256: 'x' } }),
    'bash ends: exit=0 ms=70',
  ],
  [
    progress({ type: 'checkout', repository: 'acme/app', commit: 'b'.repeat(40) }),
    'checks out acme/app at bbbbbbbbbbbb',
  ],
  [progress({ type: 'changes', files: 1, additions: 2, deletions: 0 }), 'changed 1 file: +2 -0'],
  [
    progress({ type: 'delivered', branch: 'runs/job_1', commit: 'b', url: 'https://github.com/acme/app/pull/7' }),
    'pushed to runs/job_1: https://github.com/acme/app/pull/7',
  ],
  [progress({ type: 'delivered', problem: 'the run changed nothing' }), 'pushed nothing: the run changed nothing'],
  [progress({ step: 'sleeping' }), 'progress  step=sleeping'],
  [
    progress({ type: 'released', reason: 'worker_stopping' }),
    'released, to resume in the same attempt: worker_stopping',
  ],
  [progress({ type: 'resumed' }), 'resumes in the same attempt'],
  [event('job.progress', { attempt: 1, progress: 'half way' }), 'progress  progress=half way'],
  [event('job.progress', 'odd'), 'progress  '],
])('%j', (given, said) => {
  expect(describeEvent(given)).toBe(`${AT}  ${said}`);
});
