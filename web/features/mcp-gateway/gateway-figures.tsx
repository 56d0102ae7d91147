import '../integrations/integrations.css';
import { Card, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { connectionsQuery, visibleToolsQuery } from '../integrations/queries.ts';
import { grantsQuery } from './grant-queries.ts';
import { tokensQuery } from './token-queries.ts';
import { receiptCountQuery } from '../receipts/queries.ts';
import { providerKeysQuery, shownKeys } from '../models-and-keys/queries.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { common } from '../../kit/strings.ts';
import { gatewayStrings } from './strings.ts';
import { formatNumber } from '../../language/format.ts';

const strings = gatewayStrings.overview;

/** Figures of a workspace's gateway, each a link to what it counts. */
export function GatewayFigures({ workspace }: { workspace: Workspace }): ReactElement {
  const { organization, id, slug } = workspace;
  const place = { organization, workspace: id };
  const tools = useQuery(visibleToolsQuery(place));
  const reads = tools.data?.filter(({ access }) => access === 'read').length ?? 0;
  const keys = useQuery(providerKeysQuery(place));
  return (
    <ul className="figures" aria-label={strings.figures}>
      <Connections workspace={workspace} />
      <Figure
        query={tools}
        value={tools.data?.length}
        link={<TabLink slug={slug} tab="connections" label={strings.tools} />}
        text={strings.ofTools(reads, (tools.data?.length ?? 0) - reads)}
      />
      <Clients workspace={workspace} />
      <Tokens workspace={workspace} />
      <Figure
        query={keys}
        value={keys.data && shownKeys(keys.data).filter(({ configured }) => configured).length}
        link={<TabLink slug={slug} tab="llm-keys" label={strings.keys} />}
        text={strings.keysText}
      />
      <Receipts organization={organization} stream={`connect/${id}`} />
    </ul>
  );
}

interface FiguresProps {
  workspace: Workspace;
}

function Connections({ workspace: { organization, id, slug } }: FiguresProps): ReactElement {
  const query = useQuery(connectionsQuery({ organization, workspace: id }));
  const broken = query.data?.filter(({ status }) => status !== 'valid').length ?? 0;
  return (
    <Figure
      query={query}
      value={query.data?.length}
      link={<TabLink slug={slug} tab="connections" label={strings.connections} />}
      text={query.data?.length === 0 ? strings.noneYet : broken > 0 ? strings.attention(broken) : strings.allWell}
      isAlarm={broken > 0}
    />
  );
}

/** Clients that the person has approved for this workspace. */
function Clients({ workspace: { organization, id, slug } }: FiguresProps): ReactElement {
  const query = useInfiniteQuery(grantsQuery);
  const clients = query.data?.pages
    .flatMap((page) => page.grants)
    .filter(
      (grant) => grant.organization === organization && (grant.workspace === undefined || grant.workspace === id),
    );
  return (
    <Figure
      query={query}
      value={clients?.length}
      more={query.hasNextPage}
      link={<TabLink slug={slug} tab="clients" label={strings.clients} />}
      text={strings.clientsText}
    />
  );
}

/** The person's active tokens for this workspace. */
function Tokens({ workspace: { organization, id, slug } }: FiguresProps): ReactElement {
  const [now] = useState(() => Date.now());
  const query = useInfiniteQuery(tokensQuery(organization));
  const active = query.data?.pages
    .flatMap((page) => page.tokens)
    .filter(
      ({ workspace: limit, revokedAt, expiresAt }) =>
        (limit === undefined || limit === id) && revokedAt === undefined && Date.parse(expiresAt) > now,
    );
  return (
    <Figure
      query={query}
      value={active?.length}
      more={query.hasNextPage}
      link={<TabLink slug={slug} tab="tokens" label={strings.tokens} />}
      text={strings.tokensText}
    />
  );
}

function Receipts({ organization, stream }: { organization: string; stream: string }): ReactElement {
  const query = useQuery(receiptCountQuery(organization, stream));
  return (
    <Figure
      query={query}
      value={query.data}
      text={strings.receiptsText}
      link={
        query.data === 0 ? (
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
  );
}

function TabLink({ slug, tab, label }: { slug: string; tab: string; label: string }): ReactElement {
  return (
    <AnchorLink to="/workspaces/$slug/mcp-gateway" params={{ slug }} search={{ tab }} size="sm">
      {label}
    </AnchorLink>
  );
}

interface FigureProps {
  query: { readonly isPending: boolean };
  value: number | undefined;
  /** There are more than counted. */
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
        <p className="figure-value">{value === undefined ? '–' : `${formatNumber(value)}${more ? '+' : ''}`}</p>
      )}
      {link}
      <Text size="xs" {...(isAlarm ? { c: 'red', fw: 550 } : { c: 'dimmed' })}>
        {query.isPending ? '\u00a0' : value === undefined ? strings.unknown : text}
      </Text>
    </Card>
  );
}
