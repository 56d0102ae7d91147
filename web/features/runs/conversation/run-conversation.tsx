import { Group, Switch, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { LiveOutput } from '../../../../src/contract/jobs.ts';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Loading } from '../../../kit/loading.tsx';
import { useModelName } from '../../models-and-keys/use-model-name.ts';
import { useAppName } from '../../receipts/use-names.ts';
import { currentStep } from '../describe-steps.ts';
import { isEnded, runOutputQuery, type RunView } from '../queries.ts';
import { runStrings as strings } from '../strings.ts';
import { NearRows } from './near-rows.tsx';
import { StepRow } from './step-row.tsx';
import { useSteps } from './use-steps.ts';

interface RunConversationProps {
  organization: string;
  run: RunView;
  /** Whether the objective is the first thing that is said; a short one is the title of the page. */
  isObjectiveShown: boolean;
}

/** What was asked, said and done, as a conversation. While the run works, the page can follow the latest step. */
export function RunConversation({ organization, run, isObjectiveShown }: RunConversationProps): ReactElement {
  const { data: steps, error, isPending, refetch } = useSteps(organization, run.id);
  const appName = useAppName();
  const modelName = useModelName();
  const open = !isEnded(run);
  const [follows, setFollows] = useState(false);
  const current = open && steps !== undefined ? currentStep(steps) : undefined;
  const output = useOutput(organization, run.id, current?.type === 'tool' ? current : undefined);
  const end = useFollow(follows && open, steps?.length ?? 0);
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
      {error !== null && <LoadFailure error={error} retry={refetch} title={strings.stepsFailed} />}
      {isPending && <Loading />}
      {steps !== undefined && error === null && (
        <ol className="steps">
          {isObjectiveShown && (
            <li className="step" data-type="message">
              <p className="step-said" dir="auto">
                {run.objective}
              </p>
            </li>
          )}
          <NearRows rows={steps} keyOf={({ id }) => id}>
            {(step) => (
              <StepRow
                step={step}
                appName={appName}
                modelName={modelName}
                isCurrent={step === current}
                output={output?.event === step.id ? output.text : undefined}
              />
            )}
          </NearRows>
        </ol>
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
