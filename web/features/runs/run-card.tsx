import './runs.css';
import { Alert, Group, Loader, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { resultText } from '../../../src/contract/result-text.ts';
import type { ShownRun } from '../../../src/contract/threads.ts';
import { isEnded, runQuery, type RunView } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { CopyAction } from '../../kit/copy-field.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { useAppName } from '../receipts/use-names.ts';
import { momentStrings, runStrings as strings, waitingTexts } from './strings.ts';
import { AbortRun } from './abort-run.tsx';
import { explainMessage } from './follow-up/explain-message.ts';
import { ReplyToRun } from './follow-up/reply-to-run.tsx';
import { WaitingMessages } from './follow-up/waiting-messages.tsx';
import { explainEnd } from './explain-end.ts';
import { RunArtifacts } from './run-artifacts.tsx';
import { RunStatusBadge, useStatusNews } from './run-status.tsx';
import { titleOf } from './conversation/title-of.ts';
import { useSteps } from './conversation/use-steps.ts';
import type { Step } from './describe-steps.ts';

/** A run in its chat: its current step, and in the end its answer. */
export function RunCard({ shown }: { shown: ShownRun }): ReactElement {
  const { organization } = useSignedIn();
  // Starts with the data of the thread, then fetches the run itself.
  const { data: run } = useQuery(runQuery(organization.id, shown.id));
  const now =
    run === undefined ? shown : { ...run, result: run.status === 'completed' ? resultText(run.result) : undefined };
  const { status } = now;
  const news = useStatusNews(status);
  const ended = isEnded(now);
  return (
    <section className="run-card" aria-label={strings.card}>
      <div className="run-card-head">
        <Icon name="run" />
        <Text component="span" fw={600} size="sm">
          {strings.card}
        </Text>
        {status !== undefined && <RunStatusBadge status={status} />}
        <Group gap="xs" ms="auto">
          {run !== undefined && !ended && <AbortRun run={run} size="compact-sm" />}
          {status !== undefined && (
            <ButtonLink to="/runs/$run" params={{ run: shown.id }} variant="default" size="compact-sm">
              {strings.open}
            </ButtonLink>
          )}
        </Group>
      </div>
      {status === undefined && (
        <Text size="sm" c="dimmed">
          {strings.lost}
        </Text>
      )}
      {now.waiting !== undefined && (
        <Text size="sm" c="dimmed">
          {waitingTexts[now.waiting.reason] ?? now.waiting.message}
        </Text>
      )}
      {status === 'running' && <Progress organization={organization.id} id={shown.id} />}
      {now.result !== undefined && <Markdown text={now.result} below={2} />}
      {status === 'failed' && now.error !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} p="xs">
          {explainEnd(now.error)}
        </Alert>
      )}
      {ended && (
        <RunArtifacts
          run={now}
          heading={
            <Text component="h3" size="xs" fw={600} c="dimmed">
              {strings.artifacts}
            </Text>
          }
        />
      )}
      {now.result !== undefined && (
        <Group gap={4} className="message-actions">
          <CopyAction value={now.result} size="compact-xs" />
        </Group>
      )}
      {run !== undefined && <GoOn run={run} />}
      <VisuallyHidden component="output">{news}</VisuallyHidden>
    </section>
  );
}

/** What was said to it since, the runs that went on with it, and the field for a message. */
function GoOn({ run }: { run: RunView }): ReactElement {
  const { user } = useSignedIn();
  return (
    <>
      <WaitingMessages run={run} />
      {run.continuedBy?.map((id) => (
        <ContinuingRun key={id} id={id} />
      ))}
      {explainMessage(run, user.id).allowed && <ReplyToRun run={run} />}
    </>
  );
}

function ContinuingRun({ id }: { id: string }): ReactElement | null {
  const { organization } = useSignedIn();
  const { data: run } = useQuery(runQuery(organization.id, id));
  if (run === undefined) return null;
  return (
    <>
      <p className="run-said" dir="auto">
        {run.objective}
      </p>
      <RunCard shown={{ id, objective: run.objective, status: run.status }} />
    </>
  );
}

/** The latest step. Not announced: a run has many. */
function Progress({ organization, id }: { organization: string; id: string }): ReactElement {
  const { data: steps } = useSteps(organization, id);
  const appName = useAppName();
  const last = steps?.at(-1);
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader type="dots" size="sm" color="var(--mantine-color-dimmed)" aria-hidden="true" />
      <Text size="sm" c="dimmed" truncate>
        {last === undefined ? momentStrings.started : describe(last, appName)}
      </Text>
    </Group>
  );
}

function describe(step: Step, appName: (id: string) => string): string {
  if (step.type === 'answer' && step.text !== '') return step.text;
  const title = titleOf(step, appName);
  return step.type === 'tool' && step.tool === 'bash' && step.input !== undefined ? `${title}: ${step.input}` : title;
}
