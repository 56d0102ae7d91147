import './receipts.css';
import { Alert, Breadcrumbs, Button, Card, Center, Group, Stack, Switch } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { readFault } from '../../api/fault.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { type ReceiptPage, receiptsQuery } from './queries.ts';
import { runtime } from '../../api/runtime-client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { usePeople } from '../../session/use-people.ts';
import { downloadExport } from './download-export.ts';
import { nameActor } from './name-actor.ts';
import { nameStream } from './name-stream.ts';
import { placeFault } from './place-fault.ts';
import { ReceiptRow, receiptAnchor } from './receipt-row.tsx';
import { useLiveTail } from './use-live-tail.ts';
import { VerifyResult } from './verify-result.tsx';
import { useStanding } from '../../session/organization-context.ts';
import { chainFaults, receiptStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/app/receipts/$stream');

export function ReceiptStreamPage(): ReactElement {
  const { stream } = route.useParams();
  const { at } = route.useSearch();
  // Another stream is another page: nothing of a verification may stay.
  return (
    <ReceiptStream
      key={stream}
      stream={stream}
      at={at !== undefined && /^\d{1,9}$/.test(at) ? Number(at) : undefined}
    />
  );
}

function ReceiptStream({ stream, at }: { stream: string; at: number | undefined }): ReactElement {
  const { organization, user } = useStanding();
  const queryClient = useQueryClient();
  const { data: workspaces } = useQuery(workspacesQuery(organization.id));
  const options = receiptsQuery(organization.id, stream, at);
  const query = useInfiniteQuery(options);
  const people = usePeople();
  /** The last receipt that was there when the reader began to follow. */
  const [liveSince, setLiveSince] = useState<number>();
  const live = liveSince !== undefined;

  const receipts = uniqueByIndex(query.data?.pages.flatMap((page) => page.receipts) ?? []);
  const reach = query.data?.pages.at(-1)?.from ?? 0;
  const head = query.data?.pages[0]?.head;
  const known = query.data === undefined ? undefined : Math.max(head?.index ?? -1, receipts[0]?.index ?? -1);
  const tail = useLiveTail({
    organization: organization.id,
    stream,
    on: live && at === undefined,
    after: known,
    onReceipt: (receipt) =>
      queryClient.setQueryData<InfiniteData<ReceiptPage & { from: number }, number | undefined>>(
        options.queryKey,
        (data) => {
          const [first, ...rest] = data?.pages ?? [];
          if (data === undefined || first === undefined) return data;
          return {
            ...data,
            pages: [
              { ...first, receipts: [receipt, ...first.receipts], head: { index: receipt.index, hash: receipt.hash } },
              ...rest,
            ],
          };
        },
      ),
  });
  const verify = useMutation({
    mutationFn: () => runtime.receipts.verify({ stream }, { context: { organization: organization.id } }),
  });
  const download = useMutation({
    mutationFn: () => downloadExport(organization.id, stream),
    onSuccess: () => toastDone(strings.exported),
    onError: toastFault,
  });
  const faultAt = verify.data?.ok === false ? verify.data.index : undefined;
  const why = verify.data?.reason && chainFaults[verify.data.reason];
  useScrollTo(faultAt ?? at, receipts.length > 0);

  const missing = query.data === undefined && query.error !== null && readFault(query.error).status === 404;
  const above = (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/receipts" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
  if (missing) {
    return (
      <>
        <PageHeader title={strings.notFound} description={strings.notFoundText} above={above} />
        <ButtonLink to="/receipts" variant="default">
          {strings.back}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={workspaces === undefined ? stream : nameStream(stream, workspaces)}
        description={<code className="stream-name">{stream}</code>}
        above={above}
        actions={
          <Group gap="sm">
            {at === undefined && (
              <Switch
                label={strings.live}
                checked={live}
                disabled={known === undefined}
                onChange={(event) => setLiveSince(event.currentTarget.checked ? known : undefined)}
              />
            )}
            <Button
              variant="default"
              leftSection={<Icon name="down" size={16} />}
              loading={download.isPending}
              onClick={() => download.mutate()}
            >
              {strings.export}
            </Button>
            <Button
              leftSection={<Icon name="shield" size={16} />}
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {strings.verify}
            </Button>
          </Group>
        }
      />
      <Stack>
        <VerifyResult
          stream={stream}
          result={verify.data}
          error={verify.error}
          shown={faultAt === undefined || faultAt >= reach}
        />
        {live && (
          <output className="live-tail" data-connected={tail.connected ? true : undefined}>
            {tail.fault === undefined
              ? tail.connected
                ? strings.liveOn
                : strings.liveLost
              : readFault(tail.fault).text}
          </output>
        )}
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
          <Card padding={0}>
            <h2 className="visually-hidden">{strings.list}</h2>
            <ol className="receipts" reversed>
              {placeFault(receipts, faultAt, reach).map((link) =>
                link.type === 'receipt' ? (
                  <ReceiptRow
                    key={link.receipt.index}
                    receipt={link.receipt}
                    by={nameActor(link.receipt.actor, user.id, people)}
                    isNew={live && link.receipt.index > liveSince}
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
          {query.hasNextPage && (
            <Center mt="md">
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {strings.earlier}
              </Button>
            </Center>
          )}
        </ListState>
      </Stack>
    </>
  );
}

/** To the receipt that is asked for, once it is there. */
function useScrollTo(index: number | undefined, loaded: boolean): void {
  useEffect(() => {
    if (index === undefined || !loaded) return;
    const row = document.getElementById(receiptAnchor(index));
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [index, loaded]);
}

/** The tail and a page may both bring the same receipt. */
function uniqueByIndex<T extends { readonly index: number }>(receipts: readonly T[]): T[] {
  return [...new Map(receipts.map((receipt) => [receipt.index, receipt])).values()];
}
