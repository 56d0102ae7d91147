import { expect, it } from 'vitest';
import type { RunEvent } from './queries.ts';
import { currentStep, describeSteps } from './describe-steps.ts';

const event = (id: number, type: string, data: unknown, detail?: unknown): RunEvent => ({
  id,
  type,
  at: `2026-01-01T00:00:0${id}.000Z`,
  actor: 'system:worker-chat',
  status: 'running',
  attempt: 1,
  data,
  ...(detail === undefined ? {} : { detail }),
});
const progress = (id: number, fact: Record<string, unknown>, detail?: unknown): RunEvent =>
  event(id, 'job.progress', { attempt: 1, progress: fact }, detail);

it('joins the start and end of a tool call into one step, and shows one in progress', () => {
  const steps = describeSteps([
    progress(2, { type: 'tool.started', step: 1, tool: 'bash' }, { command: 'ls' }),
    progress(
      3,
      { type: 'tool.ended', step: 1, tool: 'bash', exit: 2, ms: 40 },
      { command: 'ls', output: 'no such file' },
    ),
    progress(4, { type: 'tool.started', step: 1, tool: 'bash' }, { command: 'pwd' }),
  ]);
  expect(steps).toEqual([
    {
      type: 'tool',
      id: 2,
      at: '2026-01-01T00:00:02.000Z',
      tool: 'bash',
      ended: true,
      ok: false,
      exit: 2,
      ms: 40,
      input: 'ls',
      output: 'no such file',
    },
    { type: 'tool', id: 4, at: '2026-01-01T00:00:04.000Z', tool: 'bash', ended: false, input: 'pwd' },
  ]);
});

it('shows arguments and results of other tools, and an end without a start', () => {
  expect(
    describeSteps([
      progress(
        1,
        { type: 'tool.ended', tool: 'github__list', ok: true, ms: 5 },
        { arguments: { owner: 'a' }, result: 'two' },
      ),
    ]),
  ).toMatchObject([{ tool: 'github__list', ok: true, input: '{\n  "owner": "a"\n}', output: 'two' }]);
});

it('shows the text of the model, what it cost and how long it took, also when it only called a tool', () => {
  const steps = describeSteps([
    progress(1, { type: 'model', model: 'gpt', inputTokens: 3, outputTokens: 4, costMicros: 70 }, { text: 'Hello' }),
    progress(3, { type: 'model', model: 'gpt' }, { text: ' \n' }),
  ]);
  expect(steps).toEqual([
    {
      type: 'answer',
      id: 1,
      at: '2026-01-01T00:00:01.000Z',
      text: 'Hello',
      model: 'gpt',
      inputTokens: 3,
      outputTokens: 4,
      costMicros: 70,
    },
    { type: 'answer', id: 3, at: '2026-01-01T00:00:03.000Z', text: '', ms: 2000, model: 'gpt' },
  ]);
});

it('shows events with their short facts, whatever their shape', () => {
  const steps = describeSteps([
    event(0, 'job.queued', { kind: 'chat', objective: { sha256: 'x' }, capabilities: [] }),
    progress(1, { type: 'began', model: 'gpt', tools: 2 }),
    progress(2, { step: 'sleeping' }),
    event(3, 'job.failed', { attempt: 1, code: 'told_to' }),
    event(4, 'job.progress', null),
  ]);
  expect(steps.map((step) => step.type === 'moment' && [step.event, step.facts])).toEqual([
    ['job.queued', {}],
    ['began', { model: 'gpt', tools: 2 }],
    ['job.progress', { step: 'sleeping' }],
    ['job.failed', { code: 'told_to' }],
    ['job.progress', {}],
  ]);
});

it('waits for the model from its call to its answer, which takes its place', () => {
  const started = progress(2, { type: 'model.started', step: 1, model: 'gpt' });
  const waiting = describeSteps([event(1, 'job.started', {}), started]);
  expect(waiting.at(-1)).toEqual({ type: 'waiting', id: 2, at: '2026-01-01T00:00:02.000Z', model: 'gpt' });
  expect(currentStep(waiting)).toBe(waiting.at(-1));
  const answered = describeSteps([started, progress(6, { type: 'model', model: 'gpt' }, { text: 'Done' })]);
  expect(answered).toMatchObject([{ type: 'answer', text: 'Done', ms: 4_000 }]);
  expect(currentStep(answered)).toBeUndefined();
});

it('waits no longer once the run has ended or started again', () => {
  const started = progress(2, { type: 'model.started', step: 1, model: 'gpt' });
  for (const type of ['job.aborted', 'job.retried', 'job.failed'])
    expect(describeSteps([started, event(3, type, {})])).toMatchObject([{ type: 'moment', event: type }]);
});

it('uses a tool until it has ended', () => {
  const started = progress(2, { type: 'tool.started', tool: 'bash' }, { command: 'ls' });
  expect(currentStep(describeSteps([started]))).toMatchObject({ type: 'tool', id: 2 });
  expect(currentStep(describeSteps([started, event(3, 'job.retried', {})]))).toBeUndefined();
  expect(currentStep([])).toBeUndefined();
});

it('knows a call by its name for it, one that nobody knows the end of, and what people said', () => {
  const steps = describeSteps([
    progress(2, { type: 'tool.started', step: 1, tool: 'bash', call: 'a' }, { command: 'ls' }),
    progress(3, { type: 'tool.started', step: 1, tool: 'bash', call: 'b' }, { command: 'pwd' }),
    progress(4, { type: 'tool.ended', step: 1, tool: 'bash', call: 'a', unknown: true }),
    progress(5, { type: 'message', message: 'msg_1', number: 1 }, { text: 'Look there, too' }),
  ]);
  expect(steps).toMatchObject([
    { id: 2, ended: true, unknown: true },
    { id: 3, ended: false },
    { type: 'message', text: 'Look there, too' },
  ]);
});
