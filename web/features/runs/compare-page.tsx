import './runs.css';
import { Breadcrumbs, Button, Card, Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { useAppName } from '../receipts/use-names.ts';
import { type ComparedRow, type ComparedRun, compareRuns } from './compare-runs.ts';
import { runArtifactsQuery, runEventsQuery, runQuery } from './queries.ts';
import { titleOf } from './conversation/title-of.ts';
import { compareStrings as strings, runStrings } from './strings.ts';

const route = getRouteApi('/signed/app/runs/compare');

/** Two runs side by side. Which ones is in the address. */
export function ComparePage(): ReactElement {
  const { left, right } = route.useSearch();
  const navigate = useNavigate();
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
        actions={
          left !== undefined &&
          right !== undefined && (
            <Button
              variant="default"
              onClick={() =>
                void navigate({ to: '/runs/compare', search: { left: right, right: left }, state: { keepFocus: true } })
              }
            >
              {strings.swap}
            </Button>
          )
        }
      />
      {left === undefined || right === undefined ? (
        <Text>{strings.missing}</Text>
      ) : (
        <Compared left={left} right={right} />
      )}
    </>
  );
}

function Compared({ left, right }: { left: string; right: string }): ReactElement {
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const [first, second] = [useComparedRun(left), useComparedRun(right)];
  const failed = first.failure ?? second.failure;
  if (failed !== undefined) return <LoadFailure {...failed} />;
  if (first.compared === undefined || second.compared === undefined) return <Loading />;
  const rows = compareRuns(first.compared, second.compared).filter(({ differs }) => differs || !onlyDifferences);
  return (
    <>
      <Group mb="sm">
        <Switch
          label={strings.different}
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
        />
      </Group>
      <Card padding={0} className="compare">
        <table>
          <thead>
            <tr>
              <th scope="col">{strings.what}</th>
              <RunHead name={strings.left} id={left} />
              <RunHead name={strings.right} id={right} />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CompareRow key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

function RunHead({ name, id }: { name: string; id: string }): ReactElement {
  return (
    <th scope="col">
      <Group gap="xs">
        {name}
        <ButtonLink to="/runs/$run" params={{ run: id }} variant="default" size="compact-xs">
          {strings.open}
        </ButtonLink>
      </Group>
    </th>
  );
}

function CompareRow({ row: { name, left, right, differs, isLong } }: { row: ComparedRow }): ReactElement {
  return (
    <tr data-differs={differs || undefined}>
      <th scope="row">{name}</th>
      {[
        { side: strings.left, text: left },
        { side: strings.right, text: right },
      ].map(({ side, text }) => (
        <td key={side} data-side={side} data-long={isLong || undefined}>
          <div>{text}</div>
        </td>
      ))}
    </tr>
  );
}

function useComparedRun(id: string): {
  compared: ComparedRun | undefined;
  failure: { error: unknown; retry: () => unknown } | undefined;
} {
  const { organization } = useSignedIn();
  const { workspaces } = useCurrentWorkspace();
  const appName = useAppName();
  const modelName = useModelName();
  const queries = [
    useQuery(runQuery(organization.id, id)),
    useQuery(runEventsQuery(organization.id, id)),
    useQuery(runArtifactsQuery(organization.id, id)),
  ] as const;
  const [{ data: run }, { data: events }, { data: files }] = queries;
  const failed = queries.find(({ data, error }) => data === undefined && error !== null);
  return {
    compared:
      run === undefined || events === undefined || files === undefined
        ? undefined
        : {
            run,
            events,
            files,
            workspace: workspaces.find((each) => each.id === run.workspace)?.name ?? runStrings.goneWorkspace,
            modelName,
            titleOf: (step) => titleOf(step, appName),
          },
    failure: failed && { error: failed.error, retry: failed.refetch },
  };
}
