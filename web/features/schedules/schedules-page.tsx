import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { formatDate } from '../../language/format.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { StandingBadge } from '../runs/standing/standing-badge.tsx';
import { StandingList, StandingRow, useStandingDialog } from '../runs/standing/standing-list.tsx';
import { describeTimes } from './describe-times.ts';
import { type ScheduleView, schedulesQuery } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { scheduleStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/app/runs/schedules');
const PATH = '/runs/schedules';

export function SchedulesPage(): ReactElement {
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const query = useInfiniteQuery(schedulesQuery(organization.id));
  const openDialog = useStandingDialog(PATH);
  return (
    <StandingList
      path={PATH}
      texts={strings}
      query={query}
      dialog={
        create !== undefined &&
        current !== undefined && (
          <ScheduleDialog
            workspaces={workspaces}
            current={current}
            onClose={() => openDialog(false)}
            onSaved={({ id }) => void navigate({ to: '/runs/schedules/$schedule', params: { schedule: id } })}
          />
        )
      }
    >
      {(query.data?.pages ?? []).flatMap((page) =>
        page.schedules.map((schedule) => <ScheduleRow key={schedule.id} schedule={schedule} />),
      )}
    </StandingList>
  );
}

function ScheduleRow({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { id, name, nextAt } = schedule;
  return (
    <StandingRow
      standing={schedule}
      title={
        <AnchorLink to="/runs/schedules/$schedule" params={{ schedule: id }} c="inherit" underline="never">
          {name}
        </AnchorLink>
      }
      text={
        <>
          {describeTimes(schedule)}
          {nextAt !== undefined && (
            <>
              {' · '}
              {strings.next}: <time dateTime={nextAt}>{formatDate(nextAt, 'moment')}</time>
            </>
          )}
        </>
      }
      badge={<StandingBadge standing={schedule} />}
    />
  );
}
