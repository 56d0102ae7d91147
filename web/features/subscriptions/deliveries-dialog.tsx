// What was sent to an address, with the body of each message, and sending one again.
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { translateSentence } from '../../api/fault.ts';
import { runtime } from '../../api/runtime-client.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { deliveriesQuery, type Delivery, type Subscription, subscriptionKeys } from './queries.ts';
import { deliveryStrings as strings, subscriptionStrings } from './strings.ts';

const COLORS = { waiting: 'yellow', delivered: 'pine', given_up: 'red' } as const satisfies Record<
  Delivery['state'],
  string
>;

export function DeliveriesDialog({
  subscription,
  onClose,
}: {
  subscription: Subscription;
  onClose: () => void;
}): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(deliveriesQuery(organization.id, subscription.id));
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Dialog onClose={onClose} title={strings.title} size="xl">
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{subscription.url}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {strings.text}
        </Text>
        <ListState
          query={query}
          isEmpty={deliveries.length === 0}
          failed={strings.failed}
          empty={{ icon: 'bell', title: strings.empty, text: strings.emptyText }}
        >
          <Rows label={strings.list}>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} subscription={subscription} />
            ))}
          </Rows>
          <MoreRows query={query} />
        </ListState>
      </Stack>
    </Dialog>
  );
}

function DeliveryRow({ delivery, subscription }: { delivery: Delivery; subscription: Subscription }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { id, event, state, tries, createdAt, nextAt, body } = delivery;
  const replay = useMutation({
    mutationFn: () =>
      runtime.subscriptions.replay(
        { id: subscription.id, delivery: id },
        { context: { organization: organization.id } },
      ),
    onSuccess: async () => {
      toastDone(strings.replayed);
      await queryClient.invalidateQueries({ queryKey: subscriptionKeys.deliveries(subscription.id) });
    },
    onError: toastFault,
  });
  const named = `delivery-${id}`;
  return (
    <Row
      title={
        <Group gap="xs">
          <span id={named}>{subscriptionStrings.events[event]}</span>
          <Badge color={COLORS[state]}>{strings.states[state]}</Badge>
        </Group>
      }
      text={
        <>
          <ShowDate at={createdAt} /> · {[strings.tries(tries), answerOf(delivery)].filter(Boolean).join(' · ')}
          {state === 'waiting' && nextAt !== undefined && (
            <>
              {' '}
              · {strings.next} <ShowDate at={nextAt} />
            </>
          )}
          <details>
            <summary>{strings.message}</summary>
            <CodeBlock title={id} text={body} />
          </details>
        </>
      }
      aside={
        subscription.enabled && (
          <Button
            variant="default"
            size="xs"
            aria-describedby={named}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
          >
            {strings.replay}
          </Button>
        )
      }
    />
  );
}

function answerOf({ failure, status }: Delivery): string | undefined {
  if (failure !== undefined) return translateSentence(failure);
  return status === undefined ? undefined : strings.answered(status);
}
