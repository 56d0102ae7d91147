// Queries and actions for triggers, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { runtime } from '../../api/runtime-client.ts';

export type TriggerView = Awaited<ReturnType<typeof runtime.triggers.get>>['trigger'];
export type NewTrigger = Parameters<typeof runtime.triggers.create>[0];
export type TriggerChange = Parameters<typeof runtime.triggers.update>[0];
/** With the secret if it was made just now. */
export type MadeTrigger = Awaited<ReturnType<typeof runtime.triggers.create>>;
export type DeliveryView = Awaited<ReturnType<typeof runtime.triggers.deliveries>>['deliveries'][number];
export type TestedDelivery = Awaited<ReturnType<typeof runtime.triggers.test>>;

/** Something is delivered without a word to the page. */
const LOOK_MS = 15_000;

export const triggerKeys = {
  all: ['triggers'] as const,
  one: (id: string) => ['triggers', 'one', id] as const,
};

export function triggersQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...triggerKeys.all, 'list', organization],
    queryFn: ({ pageParam, signal }) => runtime.triggers.list(pageAt(pageParam), { context: { organization }, signal }),
    ...byCursor,
    refetchInterval: LOOK_MS,
  });
}

export function triggerQuery(organization: string, id: string) {
  return queryOptions({
    queryKey: [...triggerKeys.one(id), organization],
    queryFn: ({ signal }) => runtime.triggers.get({ id }, { context: { organization }, signal }),
    refetchInterval: LOOK_MS,
  });
}

export function deliveriesQuery(organization: string, id: string) {
  return infiniteQueryOptions({
    queryKey: [...triggerKeys.one(id), organization, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      runtime.triggers.deliveries({ id, ...pageAt(pageParam) }, { context: { organization }, signal }),
    ...byCursor,
    refetchInterval: LOOK_MS,
  });
}

/** Its runs get what the person has, so it is saved with a token that does. */
export function createTrigger(organization: string, trigger: NewTrigger): Promise<MadeTrigger> {
  return runtime.triggers.create(trigger, { context: { organization, startsRun: true } });
}

export async function changeTrigger(organization: string, change: TriggerChange): Promise<TriggerView> {
  return (await runtime.triggers.update(change, { context: { organization, startsRun: true } })).trigger;
}

export function deleteTrigger(organization: string, id: string): Promise<unknown> {
  return runtime.triggers.remove({ id }, { context: { organization } });
}

export function rotateSecret(organization: string, id: string, secret: string): Promise<MadeTrigger> {
  return runtime.triggers.rotate({ id, ...(secret === '' ? {} : { secret }) }, { context: { organization } });
}

export async function replayDelivery(organization: string, id: string, delivery: string): Promise<{ id: string }> {
  return (await runtime.triggers.replay({ id, delivery }, { context: { organization } })).job;
}

export function testTrigger(
  organization: string,
  given: Parameters<typeof runtime.triggers.test>[0],
): Promise<TestedDelivery> {
  return runtime.triggers.test(given, { context: { organization } });
}
