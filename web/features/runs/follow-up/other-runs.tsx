// The runs before and after a run, as one conversation: each a compact card with what was asked, what came of it, and a
// link. The cards fetch each other's neighbours, a bounded number of them.
import './follow-up.css';
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useId } from 'react';
import { resultText } from '../../../../src/contract/result-text.ts';
import { readFault } from '../../../api/fault.ts';
import { ButtonLink } from '../../../kit/links.tsx';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Loading } from '../../../kit/loading.tsx';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import { explainEnd } from '../explain-end.ts';
import { runQuery, type RunView } from '../queries.ts';
import { RunStatusBadge } from '../run-status.tsx';
import { followUpStrings as strings } from './strings.ts';

const MOST = 10;

/** What a run goes on with, the first run above. */
export function EarlierRuns({ run }: { run: RunView }): ReactElement | null {
  const heading = useId();
  if (run.continues === undefined) return null;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} fz="md" mb="xs" id={heading}>
        {strings.earlier}
      </Title>
      <Stack gap="sm">
        <EarlierRun id={run.continues} most={MOST} />
      </Stack>
    </section>
  );
}

function EarlierRun({ id, most }: { id: string; most: number }): ReactElement {
  return (
    <OtherRun id={id}>
      {(run) => (
        <>
          {run.continues !== undefined && most > 1 && <EarlierRun id={run.continues} most={most - 1} />}
          <RunBrief
            run={run}
            label={strings.earlierRun}
            note={run.continues !== undefined && most <= 1 ? strings.more : undefined}
          />
        </>
      )}
    </OtherRun>
  );
}

/** The runs that go on with a run, the first one above. */
export function LaterRuns({ run }: { run: RunView }): ReactElement | null {
  const heading = useId();
  const { continuedBy = [] } = run;
  if (continuedBy.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} fz="md" mb="xs" id={heading}>
        {strings.later}
      </Title>
      <Stack gap="sm">
        {continuedBy.slice(0, MOST).map((id) => (
          <LaterRun key={id} id={id} most={MOST} />
        ))}
      </Stack>
    </section>
  );
}

function LaterRun({ id, most }: { id: string; most: number }): ReactElement {
  return (
    <OtherRun id={id}>
      {(run) => {
        const { continuedBy = [] } = run;
        return (
          <>
            <RunBrief
              run={run}
              label={strings.laterRun}
              note={continuedBy.length > 0 && most <= 1 ? strings.moreLater : undefined}
            />
            {most > 1 &&
              continuedBy
                .slice(0, MOST)
                .map((next) => <LaterRun key={next} id={next} most={most - continuedBy.length} />)}
          </>
        );
      }}
    </OtherRun>
  );
}

function OtherRun({ id, children }: { id: string; children: (run: RunView) => ReactElement }): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(runQuery(organization.id, id));
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  if (readFault(query.error).status === 404)
    return (
      <Text size="sm" c="dimmed">
        {strings.gone}
      </Text>
    );
  return <LoadFailure error={query.error} retry={query.refetch} title={strings.loadFailed} />;
}

interface RunBriefProps {
  run: RunView;
  label: (objective: string) => string;
  note: string | undefined;
}

function RunBrief({ run, label, note }: RunBriefProps): ReactElement {
  const answer = run.status === 'completed' ? resultText(run.result) : undefined;
  return (
    <Card component="article" className="run-brief" aria-label={label(run.objective.slice(0, 80))}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <RunStatusBadge status={run.status} />
        <ButtonLink to="/runs/$run" params={{ run: run.id }} variant="default" size="compact-sm">
          {strings.open}
        </ButtonLink>
      </Group>
      <p className="run-said" dir="auto">
        {run.objective}
      </p>
      {answer !== undefined && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long answer is scrolled with the keyboard too
        <section className="run-brief-answer" tabIndex={0} aria-label={strings.answerOf}>
          <Markdown text={answer} below={3} />
        </section>
      )}
      {run.error !== undefined && (
        <Text size="sm" c="dimmed">
          {explainEnd(run.error)}
        </Text>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Card>
  );
}
