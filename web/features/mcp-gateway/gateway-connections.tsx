import '../integrations/integrations.css';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { type ListedConnection, connectionsQuery, connectorsQuery } from '../integrations/queries.ts';
import { readFault } from '../../api/fault.ts';
import { ConnectionBadge } from '../integrations/connection-badge.tsx';
import { CONNECTION_HEADING } from './connection-head.tsx';
import { explainStatus } from '../integrations/connection-state.ts';
import { NotMember } from '../integrations/not-member.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { AppMark } from '../integrations/app-mark.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { connectionStrings as strings } from '../integrations/connection-strings.ts';
import { connectionKindNames } from '../integrations/strings.ts';
import { GatewayConnection } from './gateway-connection.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/mcp-gateway');
const HEADING = 'connections';

/** The connections of a workspace, or the one in the address. */
export function GatewayConnections({ workspace }: { workspace: Workspace }): ReactElement {
  const place = { organization: workspace.organization, workspace: workspace.id };
  const list = useQuery(connectionsQuery(place));
  const catalogue = useQuery(connectorsQuery(workspace.organization));
  const { connection: asked } = route.useSearch();
  useHeadingFocus(asked);
  if (list.data === undefined && list.error !== null && readFault(list.error).status === 403)
    return <NotMember workspace={workspace} />;
  const connectors = new Map((catalogue.data?.connectors ?? []).map((connector) => [connector.id, connector]));
  const nameOf = ({ provider, name }: ListedConnection): string =>
    strings.titleOf(connectors.get(provider)?.name ?? provider, name);
  const add = (
    <ButtonLink to="/integrations" leftSection={<Icon name="plus" size={16} />}>
      {strings.add}
    </ButtonLink>
  );
  if (asked !== undefined) {
    return (
      <ListState
        query={catalogue.isPending ? catalogue : list}
        isEmpty={false}
        empty={{ icon: 'link', title: strings.empty, text: strings.emptyText }}
      >
        <GatewayConnection
          key={asked}
          workspace={workspace}
          connection={list.data?.find(({ id }) => id === asked)}
          connectors={connectors}
        />
      </ListState>
    );
  }
  return (
    <section aria-labelledby={HEADING}>
      <Group justify="space-between" align="flex-end" mb="md">
        <Stack gap={2} flex="1 1 20rem">
          <Title order={2} id={HEADING} tabIndex={-1} className="quiet-focus">
            {strings.title}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.text(workspace.name)}
          </Text>
        </Stack>
        {list.data !== undefined && list.data.length > 0 && add}
      </Group>
      <ListState
        query={list}
        isEmpty={list.data?.length === 0}
        empty={{ icon: 'link', title: strings.empty, text: strings.emptyText, action: add }}
      >
        <Rows label={strings.title}>
          {list.data?.map((connection) => (
            <ConnectionRow
              key={connection.id}
              slug={workspace.slug}
              connection={connection}
              title={nameOf(connection)}
            />
          ))}
        </Rows>
      </ListState>
    </section>
  );
}

interface ConnectionRowProps {
  slug: string;
  connection: ListedConnection;
  title: string;
}

function ConnectionRow({ slug, connection, title }: ConnectionRowProps): ReactElement {
  return (
    <Row
      className="row-link"
      lead={<AppMark id={connection.provider} name={title} />}
      title={
        <AnchorLink
          to="/workspaces/$slug/mcp-gateway"
          params={{ slug }}
          search={{ tab: 'connections', connection: connection.id }}
          c="inherit"
          underline="never"
        >
          {title}
        </AnchorLink>
      }
      text={explainStatus(connection) ?? connectionKindNames[connection.kind]}
      aside={
        <>
          <ConnectionBadge status={connection.status} />
          <Icon name="chevron" size={16} />
        </>
      }
    />
  );
}

/** Moves the focus between the list and a connection as on a change of page, but not on the first load. */
function useHeadingFocus(asked: string | undefined): void {
  const before = useRef(asked);
  useEffect(() => {
    if (before.current !== asked)
      document.getElementById(asked === undefined ? HEADING : CONNECTION_HEADING)?.focus({ preventScroll: true });
    before.current = asked;
  }, [asked]);
}
