import { Badge } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Firing } from '../../../src/contract/standing/schedules.ts';
import { faultText } from '../../api/fault.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { formatDate } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { standingStrings } from '../runs/standing/strings.ts';
import { firingsQuery } from './queries.ts';
import { outcomeNames, scheduleStrings as strings, skipReasons } from './strings.ts';

const COLORS = { started: 'pine', skipped: 'gray', refused: 'red' } as const;

/** What became of the planned times, with links to the runs. */
export function FiringList({ id }: { id: string }): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(firingsQuery(organization.id, id));
  const firings = query.data?.pages.flatMap((page) => page.firings) ?? [];
  return (
    <ListState
      query={query}
      isEmpty={firings.length === 0}
      failed={strings.historyFailed}
      empty={{ icon: 'run', title: strings.noHistory, text: strings.noHistoryText }}
    >
      <Rows label={strings.historyText}>
        {firings.map((firing) => (
          <FiringRow key={firing.plannedAt} firing={firing} />
        ))}
      </Rows>
      <MoreRows query={query} />
    </ListState>
  );
}

function FiringRow({ firing: { plannedAt, outcome, job, code } }: { firing: Firing }): ReactElement {
  return (
    <Row
      title={<time dateTime={plannedAt}>{formatDate(plannedAt, 'second')}</time>}
      {...(code === undefined ? {} : { text: explain(code) })}
      aside={
        <>
          <Badge variant="light" color={COLORS[outcome]}>
            {outcomeNames[outcome]}
          </Badge>
          {job !== undefined && (
            <AnchorLink to="/runs/$run" params={{ run: job }} size="sm">
              {standingStrings.openRun}
            </AnchorLink>
          )}
        </>
      }
    />
  );
}

function explain(code: string): string {
  const known: Readonly<Record<string, string>> = skipReasons;
  return known[code] ?? faultText(code, code);
}
