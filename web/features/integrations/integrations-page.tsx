import './integrations.css';
import { Button, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import {
  type ListedConnection,
  connectionsQuery,
  type ListedConnector,
  connectorsQuery,
  workspaceMembersQuery,
} from './queries.ts';
import { readFault } from '../../api/fault.ts';
import { AskDialog } from './ask-dialog.tsx';
import { AppCard, type AppActions } from './app-card.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { filterApps, groupApps, groupByCategory, readShow, SHOWS, toApps } from './filter-connectors.ts';
import { ImportDialog } from './import-dialog.tsx';
import { NotConfigured } from './not-configured.tsx';
import { NotMember } from './not-member.tsx';
import { openPersonalWorkspace } from './personal-workspace.ts';
import { ToolsDialog } from './tools-dialog.tsx';
import { useConnect } from './use-connect.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { connectionStrings } from './connection-strings.ts';
import { askStrings, integrationStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';

const route = getRouteApi('/signed/app/integrations');

/** Every app that can be connected, and its state in the current workspace. */
export function IntegrationsPage(): ReactElement {
  const { current, failure } = useCurrentWorkspace();
  if (current === undefined) return <NoWorkspace failure={failure} />;
  return <Integrations key={current.id} workspace={current} />;
}

function NoWorkspace({ failure }: Pick<ReturnType<typeof useCurrentWorkspace>, 'failure'>): ReactElement {
  if (failure === undefined) return <CardSkeleton />;
  return (
    <>
      <PageHeader title={strings.title} />
      <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
    </>
  );
}

type Open =
  | { readonly dialog: 'ask' | 'tools' | 'import'; readonly connector: ListedConnector }
  | { readonly dialog: 'disconnect'; readonly connector: ListedConnector; readonly connection: ListedConnection };

function Integrations({ workspace }: { workspace: Workspace }): ReactElement {
  const place = { organization: workspace.organization, workspace: workspace.id };
  const catalogue = useQuery(connectorsQuery(workspace.organization));
  const list = useQuery(connectionsQuery(place));
  const { user } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const { connect, dialog } = useConnect(place, (app, own) => {
    toastDone(askStrings.ownDone(app, own.name));
    void navigate({ search: (before) => ({ ...before, workspace: own.slug }) });
  });
  const isShared = useIsShared(workspace);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const actions: AppActions = {
    connect: (connector) => (isShared ? setOpen({ dialog: 'ask', connector }) : connect(connector)),
    reconnect: (connector, { name }) => connect(connector, name === 'default' ? undefined : name),
    showTools: (connector) => setOpen({ dialog: 'tools', connector }),
    startImport: (connector) => setOpen({ dialog: 'import', connector }),
    disconnect: (connector, connection) => setOpen({ dialog: 'disconnect', connector, connection }),
  };
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
      {dialog}
      {open?.dialog === 'ask' && (
        <AskDialog
          connector={open.connector}
          workspace={workspace}
          onConnect={() => {
            close();
            connect(open.connector);
          }}
          onConnectOwn={() => {
            close();
            connect(open.connector, undefined, () =>
              openPersonalWorkspace(queryClient, { organization: workspace.organization, user }),
            );
          }}
          onClose={close}
        />
      )}
      {open?.dialog === 'tools' && <ToolsDialog connector={open.connector} onClose={close} />}
      {open?.dialog === 'import' && <ImportDialog place={place} connector={open.connector} onClose={close} />}
      {open?.dialog === 'disconnect' && (
        <DisconnectDialog
          workspace={workspace}
          connection={open.connection}
          title={connectionStrings.titleOf(open.connector.name, open.connection.name)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Whether others use the workspace too, as far as is known. Anyone may join Default later. */
function useIsShared({ id, kind }: Workspace): boolean {
  const { user } = useSignedIn();
  const { data } = useQuery({ ...workspaceMembersQuery(id), enabled: kind === 'named' });
  return data === undefined || data.more || data.members.some((member) => member.user !== user.id);
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
      {groupApps(shown).map((group) => (
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
