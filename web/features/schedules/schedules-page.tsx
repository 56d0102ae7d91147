import { Breadcrumbs, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { formatDate } from '../../language/format.ts';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { runStrings } from '../runs/strings.ts';
import { type ScheduleView, schedulesQuery } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { describeTimes, StateBadge } from './schedule-state.tsx';
import { scheduleStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/app/runs/schedules');

/** The person's schedules; those who manage a workspace or the organization see those of others, too. */
export function SchedulesPage(): ReactElement {
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const query = useInfiniteQuery(schedulesQuery(organization.id));
  const schedules = query.data?.pages.flatMap((page) => page.schedules) ?? [];
  const open = (isOpen: boolean): void =>
    void navigate({
      to: '/runs/schedules',
      search: (before) => ({ ...before, create: isOpen ? '1' : undefined }),
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open(true)}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={strings.title}
        description={strings.description}
        above={
          <Breadcrumbs separator="/" fz="sm">
            <AnchorLink to="/runs" size="sm">
              {runStrings.title}
            </AnchorLink>
          </Breadcrumbs>
        }
        actions={schedules.length > 0 ? createButton : undefined}
      />
      <ListState
        query={query}
        isEmpty={schedules.length === 0}
        failed={strings.failed}
        empty={{ icon: 'run', title: strings.empty, text: strings.emptyText, action: createButton }}
      >
        <Rows label={strings.list}>
          {schedules.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {create !== undefined && current !== undefined && (
        <ScheduleDialog
          workspaces={workspaces}
          current={current}
          onClose={() => open(false)}
          onSaved={({ id }) => void navigate({ to: '/runs/schedules/$schedule', params: { schedule: id } })}
        />
      )}
    </>
  );
}

function ScheduleRow({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const { createdBy, nextAt } = schedule;
  return (
    <Row
      className="row-link"
      lead={<Icon name="run" size={22} />}
      title={
        <AnchorLink to="/runs/schedules/$schedule" params={{ schedule: schedule.id }} c="inherit" underline="never">
          {schedule.name}
        </AnchorLink>
      }
      text={
        <>
          {describeTimes(schedule)}
          {createdBy !== user.id && ` · ${people.get(createdBy) ?? strings.colleague}`}
          {nextAt !== undefined && (
            <>
              {' · '}
              {strings.next}: <time dateTime={nextAt}>{formatDate(nextAt, 'moment')}</time>
            </>
          )}
        </>
      }
      aside={<StateBadge schedule={schedule} />}
    />
  );
}
