import './runs.css';
import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type RunView, runsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { Elapsed, RunStatusBadge } from './run-status.tsx';
import { readKind, readStatus, RunFilters, type RunSearch } from './run-filters.tsx';
import { StarterText } from './run-starter.tsx';
import { RunsHead } from './runs-head.tsx';
import { SandboxNotice } from './sandbox-notice.tsx';
import { StartRunDialog } from './start-run-dialog.tsx';
import { useOpenStarted } from './use-open-started.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { runPageStrings } from './page-strings.ts';
import { kindNames, runStrings as strings, waitingTexts } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';
import { formatDate } from '../../language/format.ts';

const route = getRouteApi('/signed/app/runs');
const LOOK_WHILE_WAITING_MS = 15_000;

/** The runs of the person's workspaces. The filters and the open start dialog are in the address. */
export function RunsPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const openStarted = useOpenStarted();
  const { organization } = useSignedIn();
  const { workspaces, current, failure } = useCurrentWorkspace();
  const workspace = workspaces.find(({ slug }) => slug === search.in)?.id;
  const filter = { status: readStatus(search.status), kind: readKind(search.kind), workspace };
  // Until the workspace in the address is known, the list would be the wrong one.
  const enabled = search.in === undefined || workspaces.length > 0;
  const query = useInfiniteQuery({
    ...runsQuery(organization.id, filter),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ jobs }) => jobs.some(({ waiting }) => waiting !== undefined)) ? LOOK_WHILE_WAITING_MS : false,
  });
  const runs = query.data?.pages.flatMap(({ jobs }) => jobs) ?? [];
  const filtered = filter.status !== undefined || filter.kind !== undefined || workspace !== undefined;
  const change = (next: RunSearch & { start?: string | undefined }): void =>
    void navigate({
      to: '/runs',
      search: { ...search, ...next },
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
  const nameOf = (id: string): string => workspaces.find((each) => each.id === id)?.name ?? strings.goneWorkspace;
  const startButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => change({ start: '1' })}>
      {runPageStrings.start}
    </Button>
  );
  const clearButton = (
    <Button variant="default" onClick={() => change({ status: undefined, kind: undefined, in: undefined })}>
      {strings.clear}
    </Button>
  );
  return (
    <>
      <RunsHead
        title={strings.title}
        description={strings.description}
        actions={(runs.length > 0 || filtered) && startButton}
      />
      {failure !== undefined && (
        <Box mb="md">
          <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
        </Box>
      )}
      <SandboxNotice />
      {(runs.length > 0 || filtered) && <RunFilters search={search} workspaces={workspaces} onChange={change} />}
      {(failure === undefined || enabled) && (
        <ListState
          query={query}
          isEmpty={runs.length === 0}
          failed={strings.listFailed}
          empty={
            filtered
              ? { icon: 'run', title: strings.noMatch, text: strings.noMatchText, action: clearButton }
              : { icon: 'run', title: strings.empty, text: strings.emptyText, action: startButton }
          }
        >
          <Rows label={strings.list}>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} workspace={nameOf(run.workspace)} />
            ))}
          </Rows>
          <MoreRows query={query} />
        </ListState>
      )}
      {search.start !== undefined && current !== undefined && (
        <StartRunDialog
          workspaces={workspaces}
          current={current}
          onClose={() => change({ start: undefined })}
          onStarted={openStarted}
        />
      )}
    </>
  );
}

function RunRow({ run, workspace }: { run: RunView; workspace: string }): ReactElement {
  return (
    <Row
      className="row-link"
      lead={<Icon name="run" size={22} />}
      title={
        <AnchorLink to="/runs/$run" params={{ run: run.id }} c="inherit" underline="never" className="run-objective">
          {run.objective.slice(0, 300)}
        </AnchorLink>
      }
      text={
        <>
          {kindNames[run.kind]} · {workspace} ·{' '}
          <time dateTime={run.createdAt}>{formatDate(run.createdAt, 'moment')}</time>
          {run.startedBy !== undefined && (
            <>
              {' · '}
              <StarterText run={run} />
            </>
          )}
          {run.startedAt !== undefined && (
            <>
              {' · '}
              <Elapsed run={run} />
            </>
          )}
          {run.waiting !== undefined && (
            <>
              <br />
              <VisuallyHidden>{strings.waiting}: </VisuallyHidden>
              {waitingTexts[run.waiting.reason] ?? run.waiting.message}
            </>
          )}
        </>
      }
      aside={<RunStatusBadge status={run.status} />}
    />
  );
}
