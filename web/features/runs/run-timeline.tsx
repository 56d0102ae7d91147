import { Card, Group, Switch, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { LiveOutput } from '../../../src/contract/jobs.ts';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { useAppName } from '../receipts/use-names.ts';
import { currentStep, describeSteps } from './describe-steps.ts';
import { placeSteps } from './place-steps.ts';
import { isEnded, runEventsQuery, runOutputQuery, type RunView } from './queries.ts';
import { useNow } from './run-status.tsx';
import { StepRow } from './step-row.tsx';
import { runStrings as strings } from './strings.ts';

/** The steps of a run with their time. While it works, the page can follow the latest one. */
export function RunTimeline({ organization, run }: { organization: string; run: RunView }): ReactElement {
  const query = useQuery(runEventsQuery(organization, run.id));
  const appName = useAppName();
  const modelName = useModelName();
  const open = !isEnded(run);
  const now = useNow(open);
  const [follows, setFollows] = useState(false);
  const steps = query.data === undefined ? [] : describeSteps(query.data);
  const spans = placeSteps(steps, now);
  const current = open ? currentStep(steps) : undefined;
  const output = useOutput(organization, run.id, current?.type === 'tool' ? current : undefined);
  const end = useFollow(follows && open, steps.length);
  return (
    <section aria-labelledby="steps">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="steps" fz="md">
          {strings.steps}
        </Title>
        {open && (
          <Switch
            label={strings.follow}
            checked={follows}
            onChange={(event) => setFollows(event.currentTarget.checked)}
          />
        )}
      </Group>
      {query.error !== null && <LoadFailure error={query.error} retry={query.refetch} title={strings.stepsFailed} />}
      {query.isPending && <Loading />}
      {query.data !== undefined && query.error === null && (
        <Card padding={0} component="ol" className="steps">
          {steps.map((step, position) => (
            <StepRow
              key={step.id}
              step={step}
              appName={appName}
              modelName={modelName}
              span={spans[position]}
              output={output?.event === step.id ? output.text : undefined}
            />
          ))}
        </Card>
      )}
      <div ref={end} />
    </section>
  );
}

/** What the tool that is used prints; nothing of other tools than the shell. */
function useOutput(
  organization: string,
  id: string,
  using: { readonly id: number; readonly tool: string } | undefined,
): LiveOutput | undefined {
  const { data } = useQuery({ ...runOutputQuery(organization, id), enabled: using?.tool === 'bash' });
  return data?.event === using?.id ? (data ?? undefined) : undefined;
}

/** Keeps the end of the list in sight while it grows. */
function useFollow(on: boolean, count: number): React.RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (on && count > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [on, count]);
  return end;
}
