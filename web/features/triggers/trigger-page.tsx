import '../runs/runs.css';
import { Alert, Breadcrumbs, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { describeCondition } from '../../../src/contract/standing/condition-text.ts';
import { readFault } from '../../api/fault.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { formatDate } from '../../language/format.ts';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { kindNames, runStrings } from '../runs/strings.ts';
import { DeliveryList } from './delivery-list.tsx';
import { type TriggerView, triggerQuery } from './queries.ts';
import { RiskNote } from './risk-note.tsx';
import { triggerSourceNames, triggerSourceSteps, triggerPauses, triggerStrings as strings } from './strings.ts';
import { TriggerActions } from './trigger-actions.tsx';

const route = getRouteApi('/signed/app/runs/triggers/$trigger');

export function TriggerPage(): ReactElement {
  const { trigger: id } = route.useParams();
  const { organization } = useSignedIn();
  const query = useQuery(triggerQuery(organization.id, id));
  if (query.data !== undefined) return <ShowTrigger key={id} trigger={query.data.trigger} url={query.data.url} />;
  const isMissing = query.error !== null && readFault(query.error).status === 404;
  return (
    <>
      <PageHeader
        title={isMissing ? strings.notFound : strings.title}
        above={<ToTriggers />}
        {...(isMissing ? { description: strings.notFoundText } : {})}
      />
      {isMissing ? (
        <ButtonLink to="/runs/triggers" variant="default">
          {strings.back}
        </ButtonLink>
      ) : query.error === null ? (
        <Loading />
      ) : (
        <LoadFailure error={query.error} retry={query.refetch} />
      )}
    </>
  );
}

function ToTriggers(): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/runs" size="sm">
        {runStrings.title}
      </AnchorLink>
      <AnchorLink to="/runs/triggers" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}

function ShowTrigger({ trigger, url }: { trigger: TriggerView; url: string }): ReactElement {
  const { user } = useSignedIn();
  const { paused, source, hasSecret, oldSecretUntil, run, createdBy } = trigger;
  const isMine = createdBy === user.id;
  return (
    <>
      <PageHeader
        title={trigger.name}
        above={<ToTriggers />}
        description={triggerSourceNames[source]}
        actions={<TriggerActions trigger={trigger} />}
      />
      <Stack gap="lg">
        {paused !== undefined && (
          <Alert color="red" icon={<Icon name="alert" />} title={strings.pausedTitle}>
            {triggerPauses[paused.reason]}
          </Alert>
        )}
        {!hasSecret && (
          <Alert color="yellow" icon={<Icon name="alert" />} title={strings.noSecretTitle}>
            {strings.noSecretText}
          </Alert>
        )}
        <Card component="section" aria-label={strings.where}>
          <Stack gap="sm">
            <Text size="sm">{triggerSourceSteps[source]}</Text>
            <CopyField label={strings.address} value={url} />
            {oldSecretUntil !== undefined && (
              <Text size="sm" c="dimmed">
                {strings.oldSecret(formatDate(oldSecretUntil, 'moment'))}
              </Text>
            )}
          </Stack>
        </Card>
        <Card component="section" aria-label={strings.details}>
          <p className="run-whole" dir="auto">
            {run.objective}
          </p>
          <TriggerFacts trigger={trigger} />
          <RiskNote source={source} workspace={run.workspace} capabilities={run.capabilities} />
        </Card>
        <section aria-labelledby="history">
          <Title order={2} id="history" fz="md" mb="xs">
            {strings.history}
          </Title>
          <DeliveryList id={trigger.id} mayReplay={isMine} />
        </section>
      </Stack>
    </>
  );
}

function TriggerFacts({ trigger }: { trigger: TriggerView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const modelName = useModelName();
  const { workspaces } = useCurrentWorkspace();
  const { run, filter, lastRun, createdBy } = trigger;
  return (
    <dl className="run-facts">
      <Fact name={strings.filter}>
        {filter.length === 0 ? strings.none : filter.map((one) => describeCondition(one)).join(' · ')}
      </Fact>
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
      <Fact name={strings.workspace}>
        {workspaces.find(({ id }) => id === run.workspace)?.name ?? runStrings.goneWorkspace}
      </Fact>
      <Fact name={strings.kind}>{kindNames[run.kind]}</Fact>
      <Fact name={strings.model}>{run.model === undefined ? runStrings.anyModel : modelName(run.model)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
