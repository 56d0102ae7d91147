import './runs.css';
import '../receipts/receipts.css';
import { Alert, Breadcrumbs, Button, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { resultText } from '../../../src/contract/result-text.ts';
import { readFault } from '../../api/fault.ts';
import { isEnded, type RunView, runQuery } from './queries.ts';
import { runtime } from '../../api/runtime-client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { CopyAction } from '../../kit/copy-field.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { VerifyResult } from '../receipts/verify-result.tsx';
import { AbortRun } from './abort-run.tsx';
import { RunConversation } from './conversation/run-conversation.tsx';
import { explainEnd } from './explain-end.ts';
import { FollowUp } from './follow-up/follow-up.tsx';
import { EarlierRuns } from './follow-up/other-runs.tsx';
import { RunAgain } from './run-again.tsx';
import { DeliveryNote } from './changes/delivery-note.tsx';
import { RunChanges } from './changes/run-changes.tsx';
import { RunArtifacts } from './run-artifacts.tsx';
import { CompareRun } from './compare-run.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunFigures } from './run-figures.tsx';
import { RunStatusBadge, useStatusNews } from './run-status.tsx';
import { SaveRecipe } from './recipes/save-recipe.tsx';
import { useRunElsewhere } from './use-run-elsewhere.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { runStrings as strings, waitingTexts } from './strings.ts';

const route = getRouteApi('/signed/app/runs/$run');
const TITLE = 80;

export function RunPage(): ReactElement {
  const { run } = route.useParams();
  // Keyed by run, so that no verification result carries over.
  return <ShowRun key={run} id={run} />;
}

function ShowRun({ id }: { id: string }): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(runQuery(organization.id, id));
  const run = query.data;
  const news = useStatusNews(run?.status);
  const missing = run === undefined && query.error !== null && readFault(query.error).status === 404;
  const elsewhere = useRunElsewhere(id, missing);
  const notFound = missing && elsewhere === 'nowhere';
  // The same header element, so that it keeps the focus when the run is loaded.
  if (run === undefined) {
    return (
      <>
        <PageHeader
          title={notFound ? strings.notFound : strings.card}
          above={<ToRuns />}
          {...(notFound ? { description: strings.notFoundText } : {})}
        />
        {notFound ? (
          <ButtonLink to="/runs" variant="default">
            {strings.back}
          </ButtonLink>
        ) : query.error === null || missing ? (
          <Loading />
        ) : (
          <LoadFailure error={query.error} retry={query.refetch} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={titleOf(run)}
        above={<ToRuns />}
        actions={
          <Group gap="sm">
            <RunStatusBadge status={run.status} />
            <CompareRun run={run} />
            <SaveRecipe run={run} />
            {isEnded(run) ? <RunAgain run={run} /> : <AbortRun run={run} />}
          </Group>
        }
      />
      <VisuallyHidden component="output">{news}</VisuallyHidden>
      <RunDetails organization={organization.id} run={run} />
    </>
  );
}

/** The conversation, and beside it on a wide screen, before it on a narrow one, what the run is and has left. */
function RunDetails({ organization, run }: { organization: string; run: RunView }): ReactElement {
  return (
    <div className="run-layout">
      <Stack gap="lg" className="run-head">
        <EarlierRuns run={run} />
        <Outcome run={run} />
        <RunChanges run={run} />
      </Stack>
      <Stack component="section" gap="lg" className="run-side" aria-label={strings.about}>
        <RunFigures organization={organization} run={run} />
        <RunArtifacts
          run={run}
          heading={
            <Title order={2} fz="md">
              {strings.artifacts}
            </Title>
          }
        />
        <Card component="section" aria-label={strings.details}>
          <RunFacts run={run} />
        </Card>
      </Stack>
      <Stack gap="lg" className="run-main">
        <RunConversation organization={organization} run={run} isObjectiveShown={run.objective.length > TITLE} />
        <FollowUp run={run} />
        <Receipts organization={organization} stream={run.stream} />
      </Stack>
    </div>
  );
}

function ToRuns(): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/runs" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}

/** The result so far. */
function Outcome({ run }: { run: RunView }): ReactElement {
  return (
    <>
      {run.waiting !== undefined && (
        <Alert color="gray" icon={<Icon name="run" />} title={strings.waiting}>
          {waitingTexts[run.waiting.reason] ?? run.waiting.message}
        </Alert>
      )}
      {run.status === 'failed' && (
        <Alert color="red" icon={<Icon name="alert" />} title={strings.failed}>
          {explainEnd(run.error ?? '')}
        </Alert>
      )}
      {run.status === 'aborted' && run.error !== undefined && (
        <Alert color="gray" icon={<Icon name="alert" />} title={strings.abortedWhy}>
          {explainEnd(run.error)}
        </Alert>
      )}
      {run.status === 'completed' && <DeliveryNote result={run.result} />}
      {run.status === 'completed' && <Answer text={resultText(run.result) ?? ''} />}
    </>
  );
}

function Answer({ text }: { text: string }): ReactElement {
  return (
    <Card component="section" aria-labelledby="answer">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="answer" fz="md">
          {strings.answer}
        </Title>
        {text !== '' && <CopyAction value={text} size="xs" />}
      </Group>
      {text === '' ? <Text c="dimmed">{strings.noAnswer}</Text> : <Markdown text={text} below={2} />}
    </Card>
  );
}

function Receipts({ organization, stream }: { organization: string; stream: string }): ReactElement {
  const verify = useMutation({ mutationFn: () => runtime.receipts.verify({ stream }, { context: { organization } }) });
  return (
    <section aria-labelledby="receipts">
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} id="receipts" fz="md">
            {strings.receipts}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.receiptsText}
          </Text>
        </div>
        <Group gap="sm">
          <ButtonLink to="/receipts/$stream" params={{ stream }} variant="default" size="xs">
            {strings.openReceipts}
          </ButtonLink>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="shield" size={14} />}
            loading={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {strings.verify}
          </Button>
        </Group>
      </Group>
      <VerifyResult stream={stream} result={verify.data} error={verify.error} shown={false} />
    </section>
  );
}

/** Its first line, shortened to a title. */
function titleOf({ objective }: RunView): string {
  const [line = ''] = objective.trim().split('\n');
  return line.length <= TITLE ? line : `${line.slice(0, TITLE).trimEnd()}…`;
}
