// The page of a schedule or trigger: its head, what it starts, and what has come of it.
import '../runs.css';
import { Alert, Breadcrumbs, Card, Stack, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { readFault } from '../../../api/fault.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../../kit/links.tsx';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Loading } from '../../../kit/loading.tsx';
import { PageHeader } from '../../../kit/page-header.tsx';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../../session/organization-context.ts';
import { useModelName } from '../../models-and-keys/use-model-name.ts';
import { DeliveryFact } from '../changes/delivery-fact.tsx';
import { Fact } from '../fact.tsx';
import { kindNames, runStrings } from '../strings.ts';
import type { StandingPath, StandingView } from './standing-view.ts';
import { pauseTexts, standingStrings as strings } from './strings.ts';

interface PlaceProps {
  path: StandingPath;
  texts: Readonly<Record<'title' | 'notFound' | 'notFoundText' | 'back', string>>;
}

function Above({ path, texts }: PlaceProps): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/runs" size="sm">
        {runStrings.title}
      </AnchorLink>
      <AnchorLink to={path} size="sm">
        {texts.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}

interface StandingMissingProps extends PlaceProps {
  query: { readonly error: unknown; refetch(): unknown };
}

/** While there is nothing to show: it is loading, does not exist, or could not be loaded. */
export function StandingMissing({ path, texts, query }: StandingMissingProps): ReactElement {
  const { error } = query;
  const isMissing = error !== null && readFault(error).status === 404;
  return (
    <>
      <PageHeader
        title={isMissing ? texts.notFound : texts.title}
        above={<Above path={path} texts={texts} />}
        {...(isMissing ? { description: texts.notFoundText } : {})}
      />
      {isMissing ? (
        <ButtonLink to={path} variant="default">
          {texts.back}
        </ButtonLink>
      ) : error === null ? (
        <Loading />
      ) : (
        <LoadFailure error={error} retry={() => query.refetch()} />
      )}
    </>
  );
}

interface StandingPageProps {
  path: StandingPath;
  texts: PlaceProps['texts'] & Readonly<Record<'pausedTitle' | 'details' | 'history', string>>;
  standing: StandingView;
  description: string;
  actions: ReactNode;
  /** Between its pause and what it starts. */
  notices?: ReactNode;
  /** Facts of its own. */
  facts: ReactNode;
  /** Below the facts. */
  more?: ReactNode;
  history: ReactNode;
}

export function StandingPage(props: StandingPageProps): ReactElement {
  const { path, texts, standing, description, actions, notices, facts, more, history } = props;
  const { name, paused, run } = standing;
  return (
    <>
      <PageHeader
        title={name}
        above={<Above path={path} texts={texts} />}
        description={description}
        actions={actions}
      />
      <Stack gap="lg">
        {paused !== undefined && (
          <Alert color="red" icon={<Icon name="alert" />} title={texts.pausedTitle}>
            {pauseTexts[paused.reason]}
          </Alert>
        )}
        {notices}
        <Card component="section" aria-label={texts.details}>
          <p className="run-whole" dir="auto">
            {run.objective}
          </p>
          <dl className="run-facts">
            {facts}
            <StandingFacts standing={standing} />
          </dl>
          {more}
        </Card>
        <section aria-labelledby="history">
          <Title order={2} id="history" fz="md" mb="xs">
            {texts.history}
          </Title>
          {history}
        </section>
      </Stack>
    </>
  );
}

function StandingFacts({ standing: { run, lastRun, createdBy } }: { standing: StandingView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const modelName = useModelName();
  const { workspaces } = useCurrentWorkspace();
  const nameOf = (id: string): string => workspaces.find((one) => one.id === id)?.name ?? runStrings.goneWorkspace;
  return (
    <>
      {lastRun !== undefined && (
        <Fact name={strings.lastRun}>
          <AnchorLink to="/runs/$run" params={{ run: lastRun }} inherit>
            {strings.openRun}
          </AnchorLink>
        </Fact>
      )}
      <Fact name={strings.madeBy}>
        {createdBy === user.id ? strings.you : (people.get(createdBy) ?? strings.colleague)}
      </Fact>
      <Fact name={strings.workspace}>{nameOf(run.workspace)}</Fact>
      <Fact name={strings.kind}>{kindNames[run.kind]}</Fact>
      <Fact name={strings.model}>{run.model === undefined ? runStrings.anyModel : modelName(run.model)}</Fact>
      <Fact name={runStrings.capabilities}>
        {run.capabilities.length === 0
          ? runStrings.noCapabilities
          : run.capabilities.map((key) => `@${key}`).join(', ')}
      </Fact>
      {run.environment !== undefined && <Fact name={runStrings.environment}>{run.environment}</Fact>}
      <DeliveryFact deliver={run.deliver} />
      {run.fundingWorkspace !== undefined && <Fact name={runStrings.funding}>{nameOf(run.fundingWorkspace)}</Fact>}
    </>
  );
}
