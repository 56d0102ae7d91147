import { expect, it } from 'vitest';
import type { Step } from './describe-steps.ts';
import { placeSteps } from './place-steps.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const moment = (id: number, second: number, event: string): Step => ({
  type: 'moment',
  id,
  at: at(second),
  event,
  attempt: 1,
  actor: '',
  facts: {},
  data: {},
});

it('places answers before and tool calls after the moment they are recorded at, from the start of the run', () => {
  const steps: Step[] = [
    moment(0, 0, 'job.queued'),
    moment(1, 10, 'job.started'),
    { type: 'answer', id: 2, at: at(12), text: '', ms: 2_000 },
    { type: 'tool', id: 3, at: at(12), tool: 'bash', ended: true, ms: 4_000 },
    { type: 'tool', id: 4, at: at(16), tool: 'bash', ended: false },
    moment(5, 20, 'job.aborted'),
  ];
  expect(placeSteps(steps, Date.parse(at(18)))).toEqual([
    undefined,
    undefined,
    { from: 0, width: 20 },
    { from: 20, width: 40 },
    { from: 60, width: 20 },
    undefined,
  ]);
});

it('places a call of the model that is not answered up to now', () => {
  const steps: Step[] = [moment(1, 0, 'job.started'), { type: 'waiting', id: 2, at: at(5) }];
  expect(placeSteps(steps, Date.parse(at(10)))).toEqual([undefined, { from: 50, width: 50 }]);
});

it('places nothing where there is nothing, or no time has passed', () => {
  expect(placeSteps([], 0)).toEqual([]);
  expect(placeSteps([moment(1, 0, 'job.started')], 0)).toEqual([undefined]);
});
