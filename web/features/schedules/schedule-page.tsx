import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { formatDate } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { Fact } from '../runs/fact.tsx';
import { StandingMissing, StandingPage } from '../runs/standing/standing-page.tsx';
import { describeTimes } from './describe-times.ts';
import { FiringList } from './firing-list.tsx';
import { NextTimes } from './next-times.tsx';
import { type ScheduleView, scheduleQuery } from './queries.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import { catchUpNames, overlapNames, scheduleStrings as strings } from './strings.ts';
import { toTimes, toTimingValues } from './schedule-values.ts';

const route = getRouteApi('/signed/app/runs/schedules/$schedule');
const PATH = '/runs/schedules';

export function SchedulePage(): ReactElement {
  const { schedule: id } = route.useParams();
  const { organization } = useSignedIn();
  const query = useQuery(scheduleQuery(organization.id, id));
  if (query.data !== undefined) return <ShowSchedule key={id} schedule={query.data} />;
  return <StandingMissing path={PATH} texts={strings} query={query} />;
}

function ShowSchedule({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { paused, enabled, nextAt, every } = schedule;
  return (
    <StandingPage
      path={PATH}
      texts={strings}
      standing={schedule}
      description={describeTimes(schedule)}
      actions={<ScheduleActions schedule={schedule} />}
      facts={
        <>
          {nextAt !== undefined && (
            <Fact name={strings.next}>
              <time dateTime={nextAt}>{formatDate(nextAt, 'moment')}</time>
            </Fact>
          )}
          <Fact name={strings.overlap}>{overlapNames[schedule.overlap]}</Fact>
          <Fact name={strings.catchUp}>{catchUpNames[schedule.catchUp]}</Fact>
        </>
      }
      more={
        enabled &&
        paused === undefined &&
        nextAt !== undefined &&
        every === undefined && <NextTimes times={toTimes(toTimingValues(schedule))} />
      }
      history={<FiringList id={schedule.id} />}
    />
  );
}
