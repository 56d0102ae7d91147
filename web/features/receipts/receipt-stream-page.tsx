import './receipts.css';
import { Alert, Breadcrumbs, Button, Card, Center, Group, Stack, Switch, Text } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { readFault } from '../../api/fault.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { downloadExport, fetchExport, type ReceiptPage, receiptsQuery, runOfStreamQuery } from './queries.ts';
import { runtime } from '../../api/runtime-client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { describeReceipt } from './describe-receipt.ts';
import { nameStream, runOf } from './name-stream.ts';
import { placeFault } from './place-fault.ts';
import { ReceiptRow, receiptAnchor } from './receipt-row.tsx';
import { useLiveTail } from './use-live-tail.ts';
import { useNames } from './use-names.ts';
import { VerifyResult } from './verify-result.tsx';
import { chainFaults, receiptStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/app/receipts/$stream');

export function ReceiptStreamPage(): ReactElement {
  const { stream } = route.useParams();
  const { at } = route.useSearch();
  // Keyed by stream, so that no verification result carries over.
  return (
    <ReceiptStream
      key={stream}
      stream={stream}
      at={at !== undefined && /^\d{1,9}$/.test(at) ? Number(at) : undefined}
    />
  );
}

function ReceiptStream({ stream, at }: { stream: string; at: number | undefined }): ReactElement {
  const { organization } = useSignedIn();
  const { data: workspaces } = useQuery(workspacesQuery(organization.id));
  const run = useQuery(runOfStreamQuery(organization.id, stream));
  const chain = useChain({ organization: organization.id, stream, at });
  const { query, receipts, reach, live } = chain;
  const verify = useMutation({
    mutationFn: () => runtime.receipts.verify({ stream }, { context: { organization: organization.id } }),
  });
  const verifyHere = useMutation({
    async mutationFn() {
      const { verifyInBrowser } = await import('./verify-in-browser.ts');
      return verifyInBrowser(await fetchExport(organization.id, stream), chain.head);
    },
  });
  const broken = [verify.data, verifyHere.data].find((result) => result?.ok === false);
  const faultAt = broken?.index;
  const why = broken?.reason && chainFaults[broken.reason];
  const shown = faultAt === undefined || faultAt >= reach;
  useScrollTo(faultAt ?? at, receipts.length > 0);
  // The same header element, so that it keeps the focus when the data arrives.
  if (query.data === undefined && query.error !== null && readFault(query.error).status === 404) {
    return (
      <>
        <PageHeader title={strings.notFound} description={strings.notFoundText} above={<ToReceipts />} />
        <ButtonLink to="/receipts" variant="default">
          {strings.back}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={workspaces === undefined ? stream : nameStream(stream, { workspaces, objective: run.data?.objective })}
        description={<StreamText stream={stream} />}
        above={<ToReceipts />}
        actions={
          <Group gap="sm">
            {at === undefined && <LiveSwitch live={live} />}
            <OpenRun stream={stream} />
            <ExportButton organization={organization.id} stream={stream} />
            <Button
              leftSection={<Icon name="shield" size={16} />}
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {strings.verify}
            </Button>
            <Button variant="default" loading={verifyHere.isPending} onClick={() => verifyHere.mutate()}>
              {strings.verifyHere}
            </Button>
          </Group>
        }
      />
      <Stack>
        <VerifyResult stream={stream} result={verify.data} error={verify.error} shown={shown} />
        <VerifyResult stream={stream} result={verifyHere.data} error={verifyHere.error} shown={shown} by="browser" />
        {live.since !== undefined && <TailState tail={live.tail} />}
        {at !== undefined && (
          <Alert color="gray" p="xs">
            <AnchorLink to="/receipts/$stream" params={{ stream }} search={{ at: undefined }} size="sm">
              {strings.latest}
            </AnchorLink>
          </Alert>
        )}
        <ListState
          query={query}
          isEmpty={receipts.length === 0 && faultAt === undefined}
          empty={{ icon: 'receipt', title: strings.empty, text: strings.emptyText }}
        >
          <Links links={placeFault(receipts, faultAt, reach)} liveSince={live.since} why={why} />
          <EarlierReceipts query={query} />
        </ListState>
      </Stack>
    </>
  );
}

/** The loaded receipts and those of the live tail. */
function useChain({ organization, stream, at }: { organization: string; stream: string; at: number | undefined }) {
  const queryClient = useQueryClient();
  const options = receiptsQuery(organization, stream, at);
  const query = useInfiniteQuery(options);
  /** The last receipt before the live tail started. */
  const [since, setSince] = useState<number>();
  const receipts = uniqueByIndex(query.data?.pages.flatMap((page) => page.receipts) ?? []);
  const head = query.data?.pages[0]?.head;
  const known = query.data === undefined ? undefined : Math.max(head?.index ?? -1, receipts[0]?.index ?? -1);
  const tail = useLiveTail({
    organization,
    stream,
    on: since !== undefined && at === undefined,
    after: known,
    onReceipt: (receipt) =>
      queryClient.setQueryData<ChainPages>(options.queryKey, (data) => data && putFirst(data, receipt)),
  });
  const follow = (on: boolean): void => setSince(on ? known : undefined);
  return {
    query,
    receipts,
    head: head ?? undefined,
    reach: query.data?.pages.at(-1)?.from ?? 0,
    live: { since, known, follow, tail },
  };
}

type ChainPages = InfiniteData<ReceiptPage & { from: number }, number | undefined>;

function putFirst(data: ChainPages, receipt: ReceiptOnWire): ChainPages {
  const [first, ...rest] = data.pages;
  if (first === undefined) return data;
  const head = { index: receipt.index, hash: receipt.hash };
  return { ...data, pages: [{ ...first, receipts: [receipt, ...first.receipts], head }, ...rest] };
}

function LiveSwitch({ live }: { live: ReturnType<typeof useChain>['live'] }): ReactElement {
  return (
    <Switch
      label={strings.live}
      checked={live.since !== undefined}
      disabled={live.known === undefined}
      onChange={(event) => live.follow(event.currentTarget.checked)}
    />
  );
}

function OpenRun({ stream }: { stream: string }): ReactElement | null {
  const run = runOf(stream);
  if (run === undefined) return null;
  return (
    <ButtonLink to="/runs/$run" params={{ run }} variant="default">
      {strings.openRun}
    </ButtonLink>
  );
}

function StreamText({ stream }: { stream: string }): ReactElement {
  return (
    <>
      <code className="stream-name">{stream}</code>
      <Text component="span" display="block" size="sm" mt={4}>
        {strings.verifyText}
      </Text>
    </>
  );
}

function ToReceipts(): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/receipts" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}

function ExportButton({ organization, stream }: { organization: string; stream: string }): ReactElement {
  const download = useMutation({
    mutationFn: () => downloadExport(organization, stream),
    onSuccess: () => toastDone(strings.exported),
    onError: toastFault,
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="down" size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {strings.export}
    </Button>
  );
}

function TailState({ tail: { connected, fault } }: { tail: ReturnType<typeof useLiveTail> }): ReactElement {
  return (
    <output className="live-tail" data-connected={connected ? true : undefined}>
      {fault === undefined ? (connected ? strings.liveOn : strings.liveLost) : readFault(fault).text}
    </output>
  );
}

interface LinksProps {
  links: ReturnType<typeof placeFault>;
  liveSince: number | undefined;
  /** Why the chain is broken. */
  why: string | undefined;
}

function Links({ links, liveSince, why }: LinksProps): ReactElement {
  const names = useNames();
  return (
    <Card padding={0}>
      <h2 className="visually-hidden">{strings.list}</h2>
      <ol className="receipts" reversed>
        {links.map((link) =>
          link.type === 'receipt' ? (
            <ReceiptRow
              key={link.receipt.index}
              receipt={link.receipt}
              {...describeReceipt(link.receipt, names)}
              isNew={liveSince !== undefined && link.receipt.index > liveSince}
              {...(link.broken ? { fault: why } : {})}
            />
          ) : (
            <li
              key={`missing-${link.index}`}
              className="receipt"
              id={receiptAnchor(link.index)}
              data-broken
              tabIndex={-1}
            >
              <Alert color="red" icon={<Icon name="alert" />} title={strings.missing(link.index)}>
                {why}
              </Alert>
            </li>
          ),
        )}
      </ol>
    </Card>
  );
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

function EarlierReceipts({ query }: { query: Pages }): ReactElement | null {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {strings.earlier}
      </Button>
    </Center>
  );
}

/** Scrolls to the requested receipt once it is loaded. */
function useScrollTo(index: number | undefined, loaded: boolean): void {
  useEffect(() => {
    if (index === undefined || !loaded) return;
    const row = document.getElementById(receiptAnchor(index));
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [index, loaded]);
}

/** The live tail and a page may have the same receipt. */
function uniqueByIndex<T extends { readonly index: number }>(receipts: readonly T[]): T[] {
  return [...new Map(receipts.map((receipt) => [receipt.index, receipt])).values()];
}
