import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Card } from '@mantine/core';
import { useAppName } from '../receipts/use-names.ts';
import { currentStep, describeSteps } from './describe-steps.ts';
import { isEnded, type RunEvent, runEventsQuery, type RunView } from './queries.ts';
import { Elapsed } from './run-status.tsx';
import { titleOf } from './step-row.tsx';
import { figureStrings as strings } from './strings.ts';
import { sumRun } from './sum-run.ts';
import { formatCost, formatDuration } from '../../language/format.ts';

/** What a run took, so far or in the end; nothing until it has started. */
export function RunFigures({ organization, run }: { organization: string; run: RunView }): ReactElement | null {
  const { data: events } = useQuery(runEventsQuery(organization, run.id));
  if (run.startedAt === undefined || events === undefined) return null;
  const sum = sumRun(run, events);
  return (
    <Card component="section" aria-label={strings.title}>
      <dl className="run-figures">
        <Figure name={isEnded(run) ? strings.took : strings.soFar}>
          <Elapsed run={run} />
        </Figure>
        {sum.waitedMs !== undefined && <Figure name={strings.waited}>{formatDuration(sum.waitedMs)}</Figure>}
        <RunNow run={run} events={events} />
        <Figure name={strings.modelCalls}>{strings.modelCallsOf(sum.modelCalls, sum.waits)}</Figure>
        <Figure name={strings.toolCalls}>{strings.toolCallsOf(sum.toolCalls, sum.failedCalls)}</Figure>
        <Figure name={strings.tokens}>{strings.tokensOf(sum.inputTokens, sum.outputTokens)}</Figure>
        <Figure name={strings.cost} hint={strings.costHint}>
          {sum.cost === undefined ? (isEnded(run) ? strings.noCost : strings.noCostYet) : formatCost(sum.cost)}
        </Figure>
      </dl>
    </Card>
  );
}

/** What a run that works is doing, and for how long. */
function RunNow({ run, events }: { run: RunView; events: readonly RunEvent[] }): ReactElement | null {
  const appName = useAppName();
  const current = isEnded(run) ? undefined : currentStep(describeSteps(events));
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
