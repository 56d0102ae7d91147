import '../runs/runs.css';
import { Alert, Breadcrumbs, Card, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { readFault } from '../../api/fault.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { formatDate } from '../../language/format.ts';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { kindNames, runStrings } from '../runs/strings.ts';
import { FiringList } from './firing-list.tsx';
import { NextTimes } from './next-times.tsx';
import { type ScheduleView, scheduleQuery } from './queries.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import { describeTimes } from './schedule-state.tsx';
import { catchUpNames, overlapNames, pauseTexts, scheduleStrings as strings } from './strings.ts';
import { toTimes, toTimingValues } from './schedule-values.ts';

const route = getRouteApi('/signed/app/runs/schedules/$schedule');

export function SchedulePage(): ReactElement {
  const { schedule: id } = route.useParams();
  const { organization } = useSignedIn();
  const query = useQuery(scheduleQuery(organization.id, id));
  const schedule = query.data;
  if (schedule !== undefined) return <ShowSchedule key={id} schedule={schedule} />;
  const isMissing = query.error !== null && readFault(query.error).status === 404;
  return (
    <>
      <PageHeader
        title={isMissing ? strings.notFound : strings.title}
        above={<ToSchedules />}
        {...(isMissing ? { description: strings.notFoundText } : {})}
      />
      {isMissing ? (
        <ButtonLink to="/runs/schedules" variant="default">
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

function ToSchedules(): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/runs" size="sm">
        {runStrings.title}
      </AnchorLink>
      <AnchorLink to="/runs/schedules" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}

function ShowSchedule({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { paused, enabled } = schedule;
  return (
    <>
      <PageHeader
        title={schedule.name}
        above={<ToSchedules />}
        description={describeTimes(schedule)}
        actions={<ScheduleActions schedule={schedule} />}
      />
      <Stack gap="lg">
        {paused !== undefined && (
          <Alert color="red" icon={<Icon name="alert" />} title={strings.pausedTitle}>
            {pauseTexts[paused.reason]}
          </Alert>
        )}
        <Card component="section" aria-label={strings.details}>
          <p className="run-whole" dir="auto">
            {schedule.run.objective}
          </p>
          <ScheduleFacts schedule={schedule} />
          {enabled && paused === undefined && schedule.nextAt !== undefined && schedule.every === undefined && (
            <NextTimes times={toTimes(toTimingValues(schedule))} />
          )}
        </Card>
        <section aria-labelledby="history">
          <Title order={2} id="history" fz="md" mb="xs">
            {strings.history}
          </Title>
          <FiringList id={schedule.id} />
        </section>
      </Stack>
    </>
  );
}

function ScheduleFacts({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const modelName = useModelName();
  const { workspaces } = useCurrentWorkspace();
  const { run, nextAt, lastRun, createdBy } = schedule;
  return (
    <dl className="run-facts">
      {nextAt !== undefined && (
        <Fact name={strings.next}>
          <time dateTime={nextAt}>{formatDate(nextAt, 'moment')}</time>
        </Fact>
      )}
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
      <Fact name={runStrings.capabilities}>
        {run.capabilities.length === 0
          ? runStrings.noCapabilities
          : run.capabilities.map((key) => `@${key}`).join(', ')}
      </Fact>
      <Fact name={strings.overlap}>{overlapNames[schedule.overlap]}</Fact>
      <Fact name={strings.catchUp}>{catchUpNames[schedule.catchUp]}</Fact>
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
