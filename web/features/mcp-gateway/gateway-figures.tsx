import '../integrations/integrations.css';
import { Card, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { connectionsQuery, visibleToolsQuery } from '../integrations/queries.ts';
import { grantsQuery } from './grant-queries.ts';
import { tokensQuery } from './token-queries.ts';
import { receiptCountQuery } from '../receipts/queries.ts';
import { providerKeysQuery } from '../models-and-keys/queries.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { shownKeys } from '../models-and-keys/shown-keys.ts';
import { common } from '../../kit/strings.ts';
import { gatewayStrings } from './strings.ts';

const strings = gatewayStrings.overview;

/** How a workspace's gateway stands, each figure a way to what it counts. */
export function GatewayFigures({ workspace }: { workspace: Workspace }): ReactElement {
  const { organization, id, slug } = workspace;
  const place = { organization, workspace: id };
  const [now] = useState(() => Date.now());
  const connections = useQuery(connectionsQuery(place));
  const tools = useQuery(visibleToolsQuery(place));
  const tokens = useInfiniteQuery(tokensQuery(organization));
  const grants = useInfiniteQuery(grantsQuery);
  const keys = useQuery(providerKeysQuery(place));
  const stream = `connect/${id}`;
  const receipts = useQuery(receiptCountQuery(organization, stream));

  const broken = connections.data?.filter(({ status }) => status !== 'valid').length ?? 0;
  const reads = tools.data?.filter(({ access }) => access === 'read').length ?? 0;
  const active = tokens.data?.pages
    .flatMap((page) => page.tokens)
    .filter(
      ({ workspace: limit, revokedAt, expiresAt }) =>
        (limit === undefined || limit === id) && revokedAt === undefined && Date.parse(expiresAt) > now,
    );
  const clients = grants.data?.pages
    .flatMap((page) => page.grants)
    .filter(
      (grant) => grant.organization === organization && (grant.workspace === undefined || grant.workspace === id),
    );
  const tab = (name: string, label: string): ReactElement => (
    <AnchorLink to="/workspaces/$slug/mcp-gateway" params={{ slug }} search={{ tab: name }} size="sm">
      {label}
    </AnchorLink>
  );
  return (
    <ul className="figures" aria-label={strings.figures}>
      <Figure
        query={connections}
        value={connections.data?.length}
        link={tab('connections', strings.connections)}
        text={
          connections.data?.length === 0 ? strings.noneYet : broken > 0 ? strings.attention(broken) : strings.allWell
        }
        isAlarm={broken > 0}
      />
      <Figure
        query={tools}
        value={tools.data?.length}
        link={tab('connections', strings.tools)}
        text={strings.ofTools(reads, (tools.data?.length ?? 0) - reads)}
      />
      <Figure
        query={grants}
        value={clients?.length}
        more={grants.hasNextPage}
        link={tab('clients', strings.clients)}
        text={strings.clientsText}
      />
      <Figure
        query={tokens}
        value={active?.length}
        more={tokens.hasNextPage}
        link={tab('tokens', strings.tokens)}
        text={strings.tokensText}
      />
      <Figure
        query={keys}
        value={keys.data && shownKeys(keys.data).filter(({ configured }) => configured).length}
        link={tab('llm-keys', strings.keys)}
        text={strings.keysText}
      />
      <Figure
        query={receipts}
        value={receipts.data}
        text={strings.receiptsText}
        link={
          receipts.data === 0 ? (
            <AnchorLink to="/receipts" size="sm">
              {strings.receipts}
            </AnchorLink>
          ) : (
            <AnchorLink to="/receipts/$stream" params={{ stream }} size="sm">
              {strings.receipts}
            </AnchorLink>
          )
        }
      />
    </ul>
  );
}

interface FigureProps {
  query: { readonly isPending: boolean };
  value: number | undefined;
  /** There are more than were counted. */
  more?: boolean;
  link: ReactNode;
  text: string;
  isAlarm?: boolean;
}

function Figure({ query, value, more = false, link, text, isAlarm = false }: FigureProps): ReactElement {
  return (
    <Card component="li" padding="md" className="figure">
      {query.isPending ? (
        <output aria-label={common.loading}>
          <Skeleton height={31} width="40%" />
        </output>
      ) : (
        <p className="figure-value">{value === undefined ? '–' : `${value.toLocaleString()}${more ? '+' : ''}`}</p>
      )}
      {link}
      <Text size="xs" {...(isAlarm ? { c: 'red', fw: 550 } : { c: 'dimmed' })}>
        {value === undefined && !query.isPending ? strings.unknown : text}
      </Text>
    </Card>
  );
}
