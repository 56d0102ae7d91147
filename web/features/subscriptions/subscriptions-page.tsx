import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { runtime } from '../../api/runtime-client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import {
  useCurrentWorkspace,
  useManagesSomething,
  usePeople,
  useSignedIn,
} from '../../session/organization-context.ts';
import { RunsHead } from '../runs/runs-head.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { type Subscription, subscriptionKeys, subscriptionsQuery } from './queries.ts';
import { deliveryStrings, subscriptionStrings as strings } from './strings.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';

/** What is open over the page. */
type Opened =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'delete' | 'deliveries'; readonly subscription: Subscription };

export function SubscriptionsPage(): ReactElement {
  const manages = useManagesSomething();
  if (manages) return <ManagedSubscriptions />;
  return (
    <>
      <RunsHead title={strings.title} description={strings.description} />
      {manages === false && (
        <Alert color="gray" icon={<Icon name="shield" />} title={strings.refusedTitle}>
          {strings.refusedText}
        </Alert>
      )}
    </>
  );
}

function ManagedSubscriptions(): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(subscriptionsQuery(organization.id));
  const [opened, setOpened] = useState<Opened>();
  const subscriptions = query.data?.pages.flatMap((page) => page.subscriptions) ?? [];
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpened({ what: 'create' })}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <RunsHead title={strings.title} description={strings.description} actions={create} />
      <ListState
        query={query}
        isEmpty={subscriptions.length === 0}
        failed={strings.failed}
        empty={{ icon: 'bell', title: strings.empty, text: strings.emptyText }}
      >
        <Rows label={strings.list}>
          {subscriptions.map((subscription) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              onOpen={(what) => setOpened({ what, subscription })}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {opened !== undefined && <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

interface RowProps {
  subscription: Subscription;
  onOpen: (what: 'edit' | 'delete' | 'deliveries') => void;
}

function SubscriptionRow({ subscription, onOpen }: RowProps): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces } = useCurrentWorkspace();
  const people = usePeople();
  const queryClient = useQueryClient();
  const { id, url, events, workspace, createdBy, createdAt, enabled } = subscription;
  const turn = useMutation({
    mutationFn: () =>
      runtime.subscriptions.change({ id, enabled: !enabled }, { context: { organization: organization.id } }),
    onSuccess: async () => {
      toastDone(enabled ? strings.turnedOff : strings.turnedOn);
      await queryClient.invalidateQueries({ queryKey: subscriptionKeys.all });
    },
    onError: toastFault,
  });
  const named = `subscription-${id}`;
  const action = (label: string, onClick: () => void, isPending = false): ReactElement => (
    <Button variant="default" size="xs" aria-describedby={named} loading={isPending} onClick={onClick}>
      {label}
    </Button>
  );
  const place =
    workspace === undefined
      ? strings.wholeOrganization
      : (workspaces.find((one) => one.id === workspace)?.name ?? workspace);
  return (
    <Row
      title={
        <Group gap="xs">
          <bdi id={named} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </bdi>
          <StateBadge subscription={subscription} />
        </Group>
      }
      text={
        <Stack gap={4}>
          <span>{events.map((event) => strings.events[event]).join(' · ')}</span>
          <span>
            <bdi>{place}</bdi> · {strings.madeBy(people.get(createdBy) ?? createdBy)} · <ShowDate at={createdAt} />
          </span>
          <Trouble subscription={subscription} />
          <Group gap="xs" mt={4}>
            {action(deliveryStrings.open, () => onOpen('deliveries'))}
            {action(strings.edit, () => onOpen('edit'))}
            {action(enabled ? strings.turnOff : strings.turnOn, () => turn.mutate(), turn.isPending)}
            {action(strings.delete, () => onOpen('delete'))}
          </Group>
        </Stack>
      }
    />
  );
}

function StateBadge({
  subscription: { enabled, failingSince, disabled },
}: {
  subscription: Subscription;
}): ReactElement {
  if (!enabled) return <Badge color={disabled?.reason === 'by_person' ? 'gray' : 'red'}>{strings.off}</Badge>;
  if (failingSince !== undefined) return <Badge color="yellow">{strings.failing}</Badge>;
  return <Badge color="pine">{strings.on}</Badge>;
}

/** Why nothing is delivered, and since when. */
function Trouble({
  subscription: { enabled, failingSince, disabled },
}: {
  subscription: Subscription;
}): ReactElement | null {
  const [text, at] =
    disabled !== undefined
      ? [strings.disabled[disabled.reason], disabled.at]
      : enabled && failingSince !== undefined
        ? [strings.failingSince, failingSince]
        : [];
  if (text === undefined || at === undefined) return null;
  return (
    <Text component="span" size="sm">
      {text} <ShowDate at={at} />
    </Text>
  );
}

function OpenedDialog({ opened, onClose }: { opened: Opened; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  if (opened.what === 'create') return <SubscriptionDialog onClose={onClose} />;
  const { what, subscription } = opened;
  if (what === 'edit') return <SubscriptionDialog subscription={subscription} onClose={onClose} />;
  if (what === 'deliveries') return <DeliveriesDialog subscription={subscription} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={strings.deleteTitle}
      text={strings.deleteText(subscription.url)}
      confirm={strings.delete}
      act={() => runtime.subscriptions.remove({ id: subscription.id }, { context: { organization: organization.id } })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await queryClient.invalidateQueries({ queryKey: subscriptionKeys.lists });
      }}
    />
  );
}
