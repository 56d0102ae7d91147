// Two runs as rows of a table: what was asked, how it ended, and what it took.
import { explainEnd } from './explain-end.ts';
import { resultText } from '../../../src/contract/result-text.ts';
import { describeSteps } from './describe-steps.ts';
import type { RunEvent, RunView } from './queries.ts';
import { compareStrings as strings, figureStrings, kindNames, runStrings, statusNames } from './strings.ts';
import { sumRun, type RunSum } from './sum-run.ts';
import { formatCost, formatDuration, formatSize } from '../../language/format.ts';

export interface ComparedRun {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** The name of its workspace. */
  readonly workspace: string;
  readonly modelName: (model: string, served?: string) => string;
  readonly titleOf: (step: ReturnType<typeof describeSteps>[number]) => string;
}

export interface ComparedRow {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly differs: boolean;
  /** Several lines, or prose. */
  readonly isLong: boolean;
}

type Value = (compared: ComparedRun, sum: RunSum) => string;

const lines = (items: readonly string[]): string => (items.length === 0 ? strings.nothing : items.join('\n'));

const ROWS: Readonly<Record<keyof typeof strings.rows, Value>> = {
  objective: ({ run }) => run.objective,
  outcome: ({ run }) =>
    run.error === undefined ? statusNames[run.status] : `${statusNames[run.status]}: ${explainEnd(run.error)}`,
  answer: ({ run }) => resultText(run.result) ?? strings.nothing,
  model: ({ run, events, modelName }) =>
    run.model === undefined ? (usedModels(events, modelName) ?? runStrings.anyModel) : modelName(run.model),
  kind: ({ run }) => kindNames[run.kind],
  workspace: ({ workspace }) => workspace,
  capabilities: ({ run }) => lines(run.capabilities.map((key) => `@${key}`)),
  environment: ({ run }) => run.environment ?? strings.nothing,
  attempts: ({ run }) => String(run.attempt),
  took: (_, { tookMs }) => (tookMs === undefined ? strings.nothing : formatDuration(tookMs)),
  waited: (_, { waitedMs }) => (waitedMs === undefined ? strings.nothing : formatDuration(waitedMs)),
  modelCalls: (_, { modelCalls }) => String(modelCalls),
  toolCalls: (_, { toolCalls, failedCalls }) => figureStrings.toolCallsOf(toolCalls, failedCalls),
  tokens: (_, { inputTokens, outputTokens }) => figureStrings.tokensOf(inputTokens, outputTokens),
  cost: (_, { cost }) => (cost === undefined ? strings.nothing : formatCost(cost)),
  steps: ({ events, titleOf }) =>
    lines(
      describeSteps(events)
        .filter(({ type }) => type === 'tool')
        .map(titleOf),
    ),
  files: ({ files }) => lines(files.map(({ name, size }) => `${name} (${formatSize(size)})`)),
};

/** The models that answered, for a run that named none. */
function usedModels(events: readonly RunEvent[], modelName: ComparedRun['modelName']): string | undefined {
  const used = new Set(
    describeSteps(events).flatMap((step) =>
      step.type === 'answer' && step.model !== undefined ? modelName(step.model, step.served) : [],
    ),
  );
  return used.size === 0 ? undefined : [...used].join(', ');
}

const LONG: ReadonlySet<string> = new Set(['objective', 'answer', 'steps', 'files']);

export function compareRuns(left: ComparedRun, right: ComparedRun): readonly ComparedRow[] {
  const sums = [sumRun(left.run, left.events), sumRun(right.run, right.events)] as const;
  return Object.entries(ROWS).map(([key, value]) => {
    const [a, b] = [value(left, sums[0]), value(right, sums[1])];
    return {
      name: strings.rows[key as keyof typeof strings.rows],
      left: a,
      right: b,
      differs: a !== b,
      isLong: LONG.has(key),
    };
  });
}
