import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import type { ListedConnection, ListedConnector } from '../integrations/queries.ts';
import { AppMark } from '../integrations/app-mark.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { connectionStrings as strings } from '../integrations/connection-strings.ts';
import { integrationStrings, connectionKindNames } from '../integrations/strings.ts';
import { ConnectionBadge } from '../integrations/connection-badge.tsx';
import { explainStatus, mayReconnect } from '../integrations/connection-state.ts';
import { DisconnectDialog } from '../integrations/disconnect-dialog.tsx';
import { ImportDialog } from '../integrations/import-dialog.tsx';
import { useConnect } from '../integrations/use-connect.tsx';

/** Gets the focus when the connection is opened from the list. */
export const CONNECTION_HEADING = 'connection';

interface ConnectionHeadProps {
  workspace: Workspace;
  connection: ListedConnection;
  connector: ListedConnector | undefined;
  onGone: () => void;
}

/** A connection's details and state, with buttons to reconnect and disconnect. */
export function ConnectionHead({ workspace, connection, connector, onGone }: ConnectionHeadProps): ReactElement {
  const { provider, name, kind, status } = connection;
  const place = { organization: workspace.organization, workspace: workspace.id };
  const { connect, dialog } = useConnect(place);
  const [removing, remove] = useDisclosure(false);
  const [importing, imports] = useDisclosure(false);
  const title = strings.titleOf(connector?.name ?? provider, name);
  const given = name === 'default' ? undefined : name;
  const isImport = kind !== 'integration-reference';
  const urgent = status === 'valid' ? 'default' : 'filled';
  return (
    <Card>
      <Group justify="space-between" align="flex-start">
        <ConnectionFacts connection={connection} title={title} />
        <Group gap="xs">
          {connector !== undefined && !isImport && mayReconnect(connection, workspace) && (
            <Button size="xs" variant={urgent} onClick={() => connect(connector, given)}>
              {integrationStrings.reconnect}
            </Button>
          )}
          {connector !== undefined && isImport && workspace.canManage && (
            <Button size="xs" variant={urgent} onClick={imports.open}>
              {integrationStrings.importAgain}
            </Button>
          )}
          {workspace.canManage && (
            <Button size="xs" variant="default" onClick={remove.open}>
              {integrationStrings.disconnect}
            </Button>
          )}
        </Group>
      </Group>
      {dialog}
      {importing && connector !== undefined && (
        <ImportDialog place={place} connector={connector} name={given} onClose={imports.close} />
      )}
      {removing && (
        <DisconnectDialog
          workspace={workspace}
          connection={connection}
          title={title}
          onClose={remove.close}
          onDone={onGone}
        />
      )}
    </Card>
  );
}

function ConnectionFacts({ connection, title }: { connection: ListedConnection; title: string }): ReactElement {
  const { provider, name, kind, status, expiry, lastValidatedAt, createdAt } = connection;
  const why = explainStatus(connection);
  return (
    <Group gap="md" wrap="nowrap" align="flex-start" flex="1 1 16rem" miw={0}>
      <AppMark id={provider} name={title} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Title
            order={2}
            id={CONNECTION_HEADING}
            tabIndex={-1}
            className="quiet-focus"
            style={{ overflowWrap: 'anywhere' }}
          >
            {title}
          </Title>
          <ConnectionBadge status={status} />
        </Group>
        {why !== undefined && <Text size="sm">{why}</Text>}
        <Text size="sm" c="dimmed">
          {connectionKindNames[kind]} ·{' '}
          <code className="tool-name">{name === 'default' ? provider : `${provider}:${name}`}</code>
        </Text>
        <Text size="sm" c="dimmed">
          {strings.connectedOn} <ShowDate at={createdAt} />
          {lastValidatedAt !== undefined && (
            <>
              {' · '}
              {strings.validatedOn} <ShowDate at={lastValidatedAt} />
            </>
          )}
          {expiry !== undefined && (
            <>
              {' · '}
              {strings.expiresOn} <ShowDate at={expiry} />
            </>
          )}
        </Text>
      </Stack>
    </Group>
  );
}
