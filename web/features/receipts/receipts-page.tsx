import './receipts.css';
import { Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { FoundReceiptOnWire } from '../../../src/contract/receipts.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { foundReceiptsQuery, streamsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { describeReceipt, type Names } from './describe-receipt.ts';
import { nameStream } from './name-stream.ts';
import { ReceiptFilters } from './receipt-filters.tsx';
import { receiptAnchor } from './receipt-row.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { receiptStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';
import { type ReceiptSearch, toFilter } from './to-filter.ts';
import { useNames } from './use-names.ts';

const route = getRouteApi('/signed/app/receipts');

/** What happened in the person's workspaces, and the streams that prove it. The filters are in the address. */
export function ReceiptsPage(): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces, current, failure } = useCurrentWorkspace();
  const streams = useInfiniteQuery(streamsQuery(organization.id));
  const none = streams.data?.pages.every((page) => page.streams.length === 0) ?? false;
  const ways = current !== undefined && (
    <Group gap="xs" justify="center">
      <ButtonLink to="/runs">{strings.openRuns}</ButtonLink>
      <ButtonLink to="/workspaces/$slug/mcp-gateway" params={{ slug: current.slug }} variant="default">
        {strings.openGateway}
      </ButtonLink>
    </Group>
  );
  // Without the workspaces a stream would have the wrong name.
  if (failure !== undefined) {
    return (
      <>
        <PageHeader title={strings.title} description={strings.description} />
        <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
      </>
    );
  }
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <ListState
        query={{ ...streams, isPending: streams.isPending || current === undefined }}
        isEmpty={none}
        failed={strings.failed}
        empty={{ icon: 'receipt', title: strings.empty, text: strings.emptyText, action: ways }}
      >
        <FoundReceipts workspaces={workspaces} />
        <Title order={2} fz="md" mt="xl">
          {strings.streams}
        </Title>
        <Text size="sm" c="dimmed" mb="xs">
          {strings.streamsText}
        </Text>
        <Streams query={streams} workspaces={workspaces} />
      </ListState>
    </>
  );
}

function FoundReceipts({ workspaces }: { workspaces: readonly Workspace[] }): ReactElement {
  const { organization } = useSignedIn();
  const { person, app, tool, kind, in: slug, since, until } = route.useSearch();
  const search: ReceiptSearch = { person, app, tool, kind, in: slug, since, until };
  const navigate = useNavigate();
  const names = useNames();
  const workspace = workspaces.find((each) => each.slug === slug)?.id;
  const query = useInfiniteQuery(foundReceiptsQuery(organization.id, toFilter(search, workspace)));
  const found = query.data?.pages.flatMap((page) => page.receipts) ?? [];
  const change = (next: ReceiptSearch): void =>
    void navigate({
      to: '/receipts',
      search: { ...search, ...next },
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
  return (
    <>
      <ReceiptFilters search={search} workspaces={workspaces} onChange={change} />
      <ListState
        query={query}
        isEmpty={found.length === 0}
        failed={strings.failed}
        empty={{ icon: 'receipt', title: strings.noMatch, text: strings.noMatchText }}
      >
        <Rows label={strings.activity}>
          {found.map((receipt) => (
            <FoundRow
              key={`${receipt.stream} ${receipt.index}`}
              receipt={receipt}
              names={names}
              workspace={workspaces.find(({ id }) => id === receipt.workspace)?.name ?? strings.organizationWide}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
    </>
  );
}

const ICONS = { good: 'check', bad: 'alert', plain: 'receipt' } as const;

interface FoundRowProps {
  receipt: FoundReceiptOnWire;
  names: Pick<Names, 'who' | 'appName'>;
  workspace: string;
}

function FoundRow({ receipt, names, workspace }: FoundRowProps): ReactElement {
  const { stream, index, at, run, person } = receipt;
  const { text, outcome } = describeReceipt(receipt, {
    ...names,
    objective: run?.objective,
    startedBy: run === undefined ? undefined : person,
  });
  return (
    <Row
      className="row-link found-receipt"
      lead={
        <span className="found-outcome" data-outcome={outcome}>
          <Icon name={ICONS[outcome]} size={20} />
        </span>
      }
      title={
        <AnchorLink
          to="/receipts/$stream"
          params={{ stream }}
          search={{ at: String(index) }}
          hash={receiptAnchor(index)}
          c="inherit"
          underline="never"
          className="found-text"
        >
          {text}
        </AnchorLink>
      }
      text={
        <>
          <ShowDate at={at} /> · {workspace} · {strings.index(index)}
        </>
      }
      aside={<Icon name="chevron" size={16} />}
    />
  );
}

interface StreamsProps {
  query: {
    readonly data: { readonly pages: readonly { readonly streams: readonly ListedStream[] }[] } | undefined;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
  workspaces: readonly Workspace[];
}

interface ListedStream {
  readonly stream: string;
  readonly head: { readonly index: number; readonly hash: string };
  readonly objective?: string | undefined;
}

function Streams({ query, workspaces }: StreamsProps): ReactElement {
  return (
    <>
      <Rows label={strings.streams}>
        {query.data?.pages
          .flatMap((page) => page.streams)
          .map(({ stream, head, objective }) => (
            <Row
              key={stream}
              className="row-link"
              lead={
                <span className="found-outcome">
                  <Icon name="receipt" size={22} />
                </span>
              }
              title={
                <AnchorLink to="/receipts/$stream" params={{ stream }} c="inherit" underline="never">
                  {nameStream(stream, { workspaces, objective })}
                </AnchorLink>
              }
              text={
                <>
                  {strings.count(head.index + 1)} · {strings.head}{' '}
                  <code title={head.hash}>{head.hash.slice(0, 10)}</code>
                </>
              }
              aside={<Icon name="chevron" size={16} />}
            />
          ))}
      </Rows>
      <MoreRows query={query} />
    </>
  );
}
