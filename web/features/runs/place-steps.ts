import type { Step } from './describe-steps.ts';

/** In percent of the run's time. */
export interface Span {
  readonly from: number;
  readonly width: number;
}

const THINNEST = 0.5;

/** Where each step that takes time lies between the first step and the last moment known; others have no span. */
export function placeSteps(steps: readonly Step[], nowMs: number): readonly (Span | undefined)[] {
  const begun = steps.find((step) => step.type === 'moment' && step.event === 'job.started') ?? steps[0];
  if (begun === undefined) return [];
  const start = Date.parse(begun.at);
  const spans = steps.map((step) => spanOf(step, nowMs));
  const end = Math.max(...steps.map(({ at }) => Date.parse(at)), ...spans.map((span) => span?.[1] ?? 0));
  const whole = end - start;
  if (whole <= 0) return steps.map(() => undefined);
  return spans.map((span) => {
    if (span === undefined) return undefined;
    const from = Math.min(100 - THINNEST, Math.max(0, ((span[0] - start) / whole) * 100));
    const width = Math.min(100 - from, Math.max(THINNEST, ((span[1] - span[0]) / whole) * 100));
    return { from, width };
  });
}

/** A model's answer is recorded when it ends, a tool call when it starts. */
function spanOf(step: Step, nowMs: number): readonly [number, number] | undefined {
  const at = Date.parse(step.at);
  if (step.type === 'answer') return step.ms === undefined ? undefined : [at - step.ms, at];
  if (step.type === 'waiting') return [at, Math.max(at, nowMs)];
  if (step.type === 'tool') return [at, step.ended ? at + (step.ms ?? 0) : Math.max(at, nowMs)];
  return undefined;
}
