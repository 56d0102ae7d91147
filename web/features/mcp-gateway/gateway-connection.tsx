import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import {
  type ListedConnection,
  connectionPolicyQuery,
  connectionToolsQuery,
  type ListedConnector,
} from '../integrations/queries.ts';
import { ActionSwitches } from './action-switches.tsx';
import { CONNECTION_HEADING, ConnectionHead } from './connection-head.tsx';
import { PushRight } from './push-right.tsx';
import { RepositorySelection } from './repository-selection.tsx';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { connectionStrings as strings } from '../integrations/connection-strings.ts';
import { TryTool } from './tool-call/try-tool.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/mcp-gateway');

interface GatewayConnectionProps {
  workspace: Workspace;
  /** Undefined if the address does not name a connection of this workspace. */
  connection: ListedConnection | undefined;
  connectors: ReadonlyMap<string, ListedConnector>;
}

/** One connection: its state, its actions, and a console to try them. */
export function GatewayConnection({ workspace, connection, connectors }: GatewayConnectionProps): ReactElement {
  const navigate = route.useNavigate();
  const toList = (): void =>
    void navigate({ search: (before) => ({ ...before, connection: undefined, tool: undefined }) });
  const back = (
    <AnchorLink
      to="/workspaces/$slug/mcp-gateway"
      params={{ slug: workspace.slug }}
      search={{ tab: 'connections' }}
      size="sm"
    >
      {strings.back}
    </AnchorLink>
  );
  if (connection === undefined) {
    return (
      <Stack gap="xs" align="flex-start">
        {back}
        <Title order={2} id={CONNECTION_HEADING} tabIndex={-1} className="quiet-focus">
          {strings.missing}
        </Title>
        <Text c="dimmed">{strings.missingText}</Text>
      </Stack>
    );
  }
  const connector = connectors.get(connection.provider);
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        {back}
        <ConnectionHead workspace={workspace} connection={connection} connector={connector} onGone={toList} />
      </Stack>
      {connection.kind === 'integration-reference' ? (
        <Policy workspace={workspace} connection={connection} connector={connector} />
      ) : (
        <Text size="sm" c="dimmed">
          {connection.kind === 'code-host-token' ? strings.noActionsHost : strings.noActions}
        </Text>
      )}
      {connector?.codeHost === true && (
        <PushRight
          place={{ organization: workspace.organization, workspace: workspace.id }}
          connection={connection.id}
          canManage={workspace.canManage}
        />
      )}
    </Stack>
  );
}

function Policy({
  workspace,
  connection: { id, provider },
  connector,
}: {
  workspace: Workspace;
  connection: ListedConnection;
  connector: ListedConnector | undefined;
}): ReactElement {
  const { canManage } = workspace;
  const place = { organization: workspace.organization, workspace: workspace.id };
  const { tool } = route.useSearch();
  const navigate = route.useNavigate();
  const policy = useQuery(connectionPolicyQuery(place, id));
  const found = useQuery(connectionToolsQuery(place, id));
  if (policy.data === undefined)
    return policy.error === null ? (
      <CardSkeleton />
    ) : (
      <LoadFailure title={strings.policyFailed} error={policy.error} retry={policy.refetch} />
    );
  const { actions, repositories } = policy.data;
  // The policy has the latest switches before the tools do.
  const tools = found.data?.map((each) => ({ ...each, enabled: actions[each.name] ?? each.enabled }));
  return (
    <>
      {tools === undefined ? (
        found.error === null ? (
          <CardSkeleton />
        ) : (
          <LoadFailure title={strings.toolsFailed} error={found.error} retry={found.refetch} />
        )
      ) : tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          {strings.noActions}
        </Text>
      ) : (
        <ActionSwitches workspace={workspace} app={connector?.name ?? provider} connection={id} tools={tools} />
      )}
      {connector?.codeHost === true && (
        <RepositorySelection
          key={JSON.stringify(repositories)}
          place={place}
          connection={id}
          repositories={repositories}
          canManage={canManage}
        />
      )}
      {tools !== undefined && (
        <TryTool
          place={place}
          connection={id}
          app={connector?.name ?? provider}
          tools={tools}
          picked={tool}
          onPick={(name) => void navigate({ search: (before) => ({ ...before, tool: name }), replace: true })}
        />
      )}
    </>
  );
}
