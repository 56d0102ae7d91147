import { Card } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { formatCost, formatDuration } from '../../language/format.ts';
import { useAppName } from '../receipts/use-names.ts';
import { titleOf } from './conversation/title-of.ts';
import { useSteps } from './conversation/use-steps.ts';
import { currentStep, type Step } from './describe-steps.ts';
import { isEnded, type RunView } from './queries.ts';
import { RunBudget } from './run-budget.tsx';
import { Elapsed } from './run-status.tsx';
import { figureStrings as strings } from './strings.ts';
import { sumSteps } from './sum-run.ts';

/** What a run took, so far or in the end; nothing until it has started. */
export function RunFigures({ organization, run }: { organization: string; run: RunView }): ReactElement | null {
  const { data: steps } = useSteps(organization, run.id);
  if (run.startedAt === undefined || steps === undefined) return null;
  const sum = sumSteps(run, steps);
  return (
    <Card component="section" aria-label={strings.title}>
      <dl className="run-figures">
        <Figure name={isEnded(run) ? strings.took : strings.soFar}>
          <Elapsed run={run} />
        </Figure>
        {sum.waitedMs !== undefined && <Figure name={strings.waited}>{formatDuration(sum.waitedMs)}</Figure>}
        <RunNow run={run} steps={steps} />
        <Figure name={strings.modelCalls}>{strings.modelCallsOf(sum.modelCalls, sum.waits)}</Figure>
        <Figure name={strings.toolCalls}>{strings.toolCallsOf(sum.toolCalls, sum.failedCalls)}</Figure>
        <Figure name={strings.tokens}>{strings.tokensOf(sum.inputTokens, sum.outputTokens)}</Figure>
        <Figure name={strings.cost} hint={strings.costHint}>
          {sum.cost === undefined ? (isEnded(run) ? strings.noCost : strings.noCostYet) : formatCost(sum.cost)}
        </Figure>
      </dl>
      <RunBudget run={run} cost={sum.cost ?? 0} />
    </Card>
  );
}

/** What a run that works is doing, and for how long. */
function RunNow({ run, steps }: { run: RunView; steps: readonly Step[] }): ReactElement | null {
  const appName = useAppName();
  const current = isEnded(run) ? undefined : currentStep(steps);
  if (current === undefined) return null;
  return (
    <Figure name={strings.now}>
      {titleOf(current, appName)}, <Elapsed run={{ startedAt: current.at }} />
    </Figure>
  );
}

function Figure({ name, hint, children }: { name: string; hint?: string; children: ReactNode }): ReactElement {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
