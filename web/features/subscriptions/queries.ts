import { infiniteQueryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { runtime } from '../../api/runtime-client.ts';

export type Subscription = Awaited<ReturnType<typeof runtime.subscriptions.get>>['subscription'];
export type Delivery = Awaited<ReturnType<typeof runtime.subscriptions.replay>>['delivery'];

export const subscriptionKeys = {
  all: ['subscriptions'] as const,
  lists: ['subscriptions', 'list'] as const,
  deliveries: (id: string) => ['subscriptions', 'deliveries', id] as const,
};

/** How long after a try that waits the list is read again: nothing else tells that it was made. */
const LOOK_WHILE_WAITING_MS = 5_000;

export function subscriptionsQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...subscriptionKeys.lists, organization],
    queryFn: ({ pageParam, signal }) =>
      runtime.subscriptions.list(pageAt(pageParam), { context: { organization }, signal }),
    ...byCursor,
  });
}

export function deliveriesQuery(organization: string, id: string) {
  return infiniteQueryOptions({
    queryKey: [...subscriptionKeys.deliveries(id), organization],
    queryFn: ({ pageParam, signal }) =>
      runtime.subscriptions.deliveries({ id, ...pageAt(pageParam) }, { context: { organization }, signal }),
    ...byCursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(({ state }) => state === 'waiting')) === true
        ? LOOK_WHILE_WAITING_MS
        : false,
  });
}
