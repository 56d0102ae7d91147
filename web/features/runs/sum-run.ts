// What a run took: time, tokens, cost and steps, from its receipts. They count every attempt, and exist while the run works
// and when it fails; the result, which a completed run has too, knows only the last attempt.
import type { RunEvent, RunView } from './queries.ts';
import { describeSteps, type Step } from './describe-steps.ts';

export interface RunSum {
  readonly modelCalls: number;
  /** Whether it waits for an answer, which is not counted yet. */
  readonly waits: boolean;
  readonly toolCalls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars at the catalogue's prices; undefined when no receipt names a cost. */
  readonly cost?: number;
  /** How long it waited before it was first started. */
  readonly waitedMs?: number;
  /** From its start to its end; undefined until it has ended. */
  readonly tookMs?: number;
}

type Timed = Pick<RunView, 'createdAt' | 'startedAt' | 'endedAt' | 'result'>;

export function sumRun(run: Timed, events: readonly RunEvent[]): RunSum {
  return sumSteps(run, describeSteps(events));
}

export function sumSteps({ createdAt, startedAt, endedAt, result }: Timed, steps: readonly Step[]): RunSum {
  const sum = { modelCalls: 0, toolCalls: 0, failedCalls: 0, inputTokens: 0, outputTokens: 0 };
  let costMicros: number | undefined;
  for (const step of steps) {
    if (step.type === 'answer') {
      sum.modelCalls++;
      sum.inputTokens += step.inputTokens ?? 0;
      sum.outputTokens += step.outputTokens ?? 0;
      if (step.costMicros !== undefined) costMicros = (costMicros ?? 0) + step.costMicros;
    } else if (step.type === 'tool') {
      sum.toolCalls++;
      if (step.ok === false) sum.failedCalls++;
    }
  }
  const cost = largest(costMicros === undefined ? undefined : costMicros / 1_000_000, readCost(result));
  return {
    ...sum,
    waits: steps.at(-1)?.type === 'waiting',
    ...(cost === undefined ? {} : { cost }),
    ...(startedAt === undefined ? {} : { waitedMs: between(createdAt, startedAt) }),
    ...(startedAt === undefined || endedAt === undefined ? {} : { tookMs: between(startedAt, endedAt) }),
  };
}

/** A call that failed at the end is in the result only. */
function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function readCost(result: unknown): number | undefined {
  const { cost } = (result ?? {}) as { cost?: unknown };
  return typeof cost === 'number' ? cost : undefined;
}

const between = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));
