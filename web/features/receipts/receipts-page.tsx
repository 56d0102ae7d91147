import './receipts.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { streamsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { nameStream } from './name-stream.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { receiptStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';

/** The streams of the person's workspaces. */
export function ReceiptsPage(): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces, current, failure } = useCurrentWorkspace();
  const query = useInfiniteQuery(streamsQuery(organization.id));
  const streams = query.data?.pages.flatMap((page) => page.streams) ?? [];
  const gateway = current !== undefined && (
    <ButtonLink to="/workspaces/$slug/mcp-gateway" params={{ slug: current.slug }} variant="default">
      {strings.openGateway}
    </ButtonLink>
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
        query={{ ...query, isPending: query.isPending || current === undefined }}
        isEmpty={streams.length === 0}
        empty={{ icon: 'receipt', title: strings.empty, text: strings.emptyText, action: gateway }}
      >
        <Rows label={strings.streams}>
          {streams.map(({ stream, head }) => (
            <Row
              key={stream}
              className="row-link"
              lead={<Icon name="receipt" size={22} />}
              title={
                <AnchorLink to="/receipts/$stream" params={{ stream }} c="inherit" underline="never">
                  {nameStream(stream, workspaces)}
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
      </ListState>
    </>
  );
}
