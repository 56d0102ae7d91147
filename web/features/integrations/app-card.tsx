import { Button, Card, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactElement, useId } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import type { ListedConnection, ListedConnector } from './queries.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { authNames, integrationStrings as strings } from './strings.ts';
import { AppMark } from './app-mark.tsx';
import { ConnectionBadge } from './connection-badge.tsx';
import { explainStatus, mayReconnect } from './connection-state.ts';
import type { App } from './filter-connectors.ts';
import { importKinds } from './import-kinds.ts';

export interface AppActions {
  readonly connect: (connector: ListedConnector) => void;
  /** Again, to the same name. */
  readonly reconnect: (connector: ListedConnector, connection: ListedConnection) => void;
  readonly showTools: (connector: ListedConnector) => void;
  readonly startImport: (connector: ListedConnector) => void;
  readonly disconnect: (connector: ListedConnector, connection: ListedConnection) => void;
}

interface AppCardProps {
  app: App;
  workspace: Workspace;
  /** Whether this deployment has an integration provider. */
  configured: boolean;
  actions: AppActions;
}

export function AppCard({
  app: { connector, connections },
  workspace,
  configured,
  actions,
}: AppCardProps): ReactElement {
  const title = useId();
  // Without a name, the default connection is created.
  const own = connections.find(({ name }) => name === 'default');
  const canImport = workspace.canManage && importKinds(connector).length > 0 && own?.kind !== 'integration-reference';
  const canConnect = own === undefined || (own.kind === 'integration-reference' && mayReconnect(own, workspace));
  return (
    <Card component="li" padding="md" className="app" data-connected={connections.length > 0 ? true : undefined}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <AppMark id={connector.id} name={connector.name} />
        <div className="app-words">
          <Title order={3} id={title}>
            {connector.name}
          </Title>
          {connector.purpose !== undefined && (
            <Text size="sm" mb={4}>
              {connector.purpose}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {authNames[connector.auth.mode] ?? connector.auth.mode}
          </Text>
          <ToolCount connector={connector} describedBy={title} onShow={() => actions.showTools(connector)} />
        </div>
      </Group>
      {connections.length > 0 && (
        <Stack component="ul" gap="xs" className="app-connections">
          {connections.map((connection) => (
            <ConnectionLine
              key={connection.id}
              connector={connector}
              connection={connection}
              workspace={workspace}
              describedBy={title}
              configured={configured}
              onReconnect={() => actions.reconnect(connector, connection)}
              onDisconnect={() => actions.disconnect(connector, connection)}
            />
          ))}
          {connector.reads !== undefined && (
            <Text size="xs" c="dimmed" component="li">
              {strings.canRead(workspace.name, connector.reads)}
            </Text>
          )}
        </Stack>
      )}
      <Group gap="xs" mt="auto" pt="sm">
        {canConnect && (
          <Button
            size="xs"
            variant={own === undefined || own.status === 'valid' ? 'default' : 'filled'}
            disabled={!configured}
            aria-describedby={title}
            onClick={() => (own === undefined ? actions.connect(connector) : actions.reconnect(connector, own))}
          >
            {own === undefined ? strings.connect : strings.reconnect}
          </Button>
        )}
        {canImport && (
          <Button size="xs" variant="default" aria-describedby={title} onClick={() => actions.startImport(connector)}>
            {own === undefined ? strings.import : strings.importAgain}
          </Button>
        )}
      </Group>
    </Card>
  );
}

function ToolCount({
  connector,
  describedBy,
  onShow,
}: {
  connector: ListedConnector;
  describedBy: string;
  onShow: () => void;
}): ReactElement {
  const { tools, surface } = connector;
  const writes = tools.filter(({ access }) => access === 'write').length;
  if (tools.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {surface === 'provider-mcp' ? strings.discoveredTools : strings.noTools}
      </Text>
    );
  }
  return (
    <UnstyledButton className="text-button" aria-describedby={describedBy} aria-haspopup="dialog" onClick={onShow}>
      {writes === 0 ? strings.tools(tools.length) : strings.withWrites(tools.length, writes)}
    </UnstyledButton>
  );
}

interface ConnectionLineProps {
  connector: ListedConnector;
  connection: ListedConnection;
  workspace: Workspace;
  describedBy: string;
  configured: boolean;
  onReconnect: () => void;
  onDisconnect: () => void;
}

function ConnectionLine({
  connection,
  workspace,
  describedBy,
  configured,
  onReconnect,
  onDisconnect,
}: ConnectionLineProps): ReactElement {
  const why = explainStatus(connection);
  const isNamed = connection.name !== 'default';
  return (
    <li>
      <Group gap="xs">
        <ConnectionBadge status={connection.status} />
        {isNamed && (
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {connection.name}
          </Text>
        )}
        <AnchorLink
          to="/workspaces/$slug/mcp-gateway"
          params={{ slug: workspace.slug }}
          search={{ tab: 'connections', connection: connection.id }}
          size="sm"
          aria-describedby={describedBy}
        >
          {strings.manage}
        </AnchorLink>
        {workspace.canManage && (
          <UnstyledButton className="text-button" aria-describedby={describedBy} onClick={onDisconnect}>
            {strings.disconnect}
          </UnstyledButton>
        )}
      </Group>
      {why !== undefined && (
        <Text size="sm" mt={4}>
          {why}
        </Text>
      )}
      {why !== undefined && isNamed && connection.kind === 'integration-reference' && (
        <Button size="xs" mt={6} disabled={!configured} aria-describedby={describedBy} onClick={onReconnect}>
          {strings.reconnect}
        </Button>
      )}
    </li>
  );
}
