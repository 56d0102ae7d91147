import './integrations.css';
import { Button, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { type ListedConnection, connectionsQuery, type ListedConnector, connectorsQuery } from './queries.ts';
import { readFault } from '../../api/fault.ts';
import { AppCard, type AppActions } from './app-card.tsx';
import { filterApps, groupApps, groupByCategory, readShow, SHOWS, toApps } from './filter-connectors.ts';
import { NotConfigured } from './not-configured.tsx';
import { NotMember } from './not-member.tsx';
import { useAppDialogs } from './use-app-dialogs.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useCurrentWorkspace } from '../../session/organization-context.ts';
import { integrationStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';

const route = getRouteApi('/signed/app/integrations');

/** Every app that can be connected, and its state in the current workspace. */
export function IntegrationsPage(): ReactElement {
  const { current, failure } = useCurrentWorkspace();
  if (current === undefined) return <NoWorkspace failure={failure} />;
  return <Integrations key={current.id} workspace={current} />;
}

function NoWorkspace({ failure }: Pick<ReturnType<typeof useCurrentWorkspace>, 'failure'>): ReactElement {
  return (
    <>
      <PageHeader title={strings.title} />
      {failure === undefined ? <CardSkeleton /> : <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />}
    </>
  );
}

function Integrations({ workspace }: { workspace: Workspace }): ReactElement {
  const place = { organization: workspace.organization, workspace: workspace.id };
  const catalogue = useQuery(connectorsQuery(workspace.organization));
  const list = useQuery(connectionsQuery(place));
  const { actions, dialogs } = useAppDialogs(workspace);
  const isStranger = list.data === undefined && list.error !== null && readFault(list.error).status === 403;
  return (
    <>
      <PageHeader title={strings.title} description={strings.description(workspace.name)} />
      <Stack gap="lg">
        {catalogue.data?.configured === false && <NotConfigured />}
        {isStranger ? (
          <NotMember workspace={workspace} />
        ) : list.data === undefined && list.error !== null ? (
          <LoadFailure error={list.error} retry={list.refetch} />
        ) : (
          <ListState
            query={catalogue}
            isEmpty={false}
            empty={{ icon: 'link', title: strings.none, text: strings.noneText }}
          >
            {list.data === undefined ? (
              <CardSkeleton />
            ) : (
              <Apps
                workspace={workspace}
                connectors={catalogue.data?.connectors ?? []}
                connections={list.data}
                configured={catalogue.data?.configured ?? false}
                actions={actions}
              />
            )}
          </ListState>
        )}
      </Stack>
      {dialogs}
    </>
  );
}

interface AppsProps {
  workspace: Workspace;
  connectors: readonly ListedConnector[];
  connections: readonly ListedConnection[];
  configured: boolean;
  actions: AppActions;
}

function Apps({ workspace, connectors, connections, configured, actions }: AppsProps): ReactElement {
  const { q, category = '', show: asked } = route.useSearch();
  const navigate = route.useNavigate();
  // The field updates immediately; the address follows.
  const [search, setSearch] = useState(q ?? '');
  const show = readShow(asked);
  const change = (values: { q?: string | undefined; category?: string | undefined; show?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true });
  const apps = toApps(connectors, connections);
  const shown = filterApps(apps, { search, category, show });
  const categories = groupByCategory(apps).map((group) => ({ value: group.category, label: group.name }));
  return (
    <>
      <search className="app-filters">
        <TextInput
          type="search"
          aria-label={strings.search}
          placeholder={strings.search}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={({ currentTarget: { value } }) => {
            setSearch(value);
            change({ q: value === '' ? undefined : value });
          }}
        />
        <Select
          aria-label={strings.category}
          data={[{ value: '', label: strings.allCategories }, ...categories]}
          value={category}
          onChange={(value) => change({ category: value === '' || value === null ? undefined : value })}
        />
        <Select
          aria-label={strings.show}
          data={SHOWS.map((value) => ({ value, label: strings.shows[value] }))}
          value={show}
          onChange={(value) => change({ show: value === 'all' || value === null ? undefined : value })}
        />
      </search>
      <Text size="sm" c="dimmed" component="output">
        {strings.found(shown.length, apps.length)}
      </Text>
      {shown.length === 0 && (
        <Stack align="flex-start" gap="sm">
          <Text fw={550}>{strings.none}</Text>
          <Text size="sm" c="dimmed">
            {strings.noneText}
          </Text>
          <Button
            variant="default"
            onClick={() => {
              setSearch('');
              change({ q: undefined, category: undefined, show: undefined });
            }}
          >
            {strings.clear}
          </Button>
        </Stack>
      )}
      {groupApps(shown, { search, category }).map((group) => (
        <section key={group.category} aria-labelledby={`category-${group.category}`}>
          <Title order={2} id={`category-${group.category}`} mb="sm">
            {group.name}
          </Title>
          <ul className="apps">
            {group.apps.map((app) => (
              <AppCard
                key={app.connector.id}
                app={app}
                workspace={workspace}
                configured={configured}
                actions={actions}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
