// Queries and actions for schedules, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { runtime } from '../../api/runtime-client.ts';
import type { RunView } from '../runs/queries.ts';

export type ScheduleView = Awaited<ReturnType<typeof runtime.schedules.get>>['schedule'];
export type NewSchedule = Parameters<typeof runtime.schedules.create>[0];
export type ScheduleChange = Parameters<typeof runtime.schedules.update>[0];
export type Times = Pick<NewSchedule, 'cron' | 'timezone' | 'every' | 'at'>;

/** A schedule fires without a word to the page. */
const LOOK_MS = 30_000;

export const scheduleKeys = {
  all: ['schedules'] as const,
  one: (id: string) => ['schedules', 'one', id] as const,
};

export function schedulesQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...scheduleKeys.all, 'list', organization],
    queryFn: ({ pageParam, signal }) =>
      runtime.schedules.list(pageAt(pageParam), { context: { organization }, signal }),
    ...byCursor,
    refetchInterval: LOOK_MS,
  });
}

export function scheduleQuery(organization: string, id: string) {
  return queryOptions({
    queryKey: [...scheduleKeys.one(id), organization],
    queryFn: async ({ signal }) =>
      (await runtime.schedules.get({ id }, { context: { organization }, signal })).schedule,
    refetchInterval: LOOK_MS,
  });
}

export function firingsQuery(organization: string, id: string) {
  return infiniteQueryOptions({
    queryKey: [...scheduleKeys.one(id), organization, 'firings'],
    queryFn: ({ pageParam, signal }) =>
      runtime.schedules.firings({ id, ...pageAt(pageParam) }, { context: { organization }, signal }),
    ...byCursor,
    refetchInterval: LOOK_MS,
  });
}

/** The next five, of a schedule that need not exist. */
export function timesQuery(organization: string, times: Times) {
  return queryOptions({
    queryKey: [...scheduleKeys.all, 'times', organization, times],
    queryFn: async ({ signal }) => (await runtime.schedules.times(times, { context: { organization }, signal })).times,
    retry: false,
  });
}

/** Its runs get what the person has, so it is saved with a token that does. */
export async function createSchedule(organization: string, schedule: NewSchedule): Promise<ScheduleView> {
  return (await runtime.schedules.create(schedule, { context: { organization, startsRun: true } })).schedule;
}

export async function changeSchedule(organization: string, change: ScheduleChange): Promise<ScheduleView> {
  return (await runtime.schedules.update(change, { context: { organization, startsRun: true } })).schedule;
}

export async function deleteSchedule(organization: string, id: string): Promise<unknown> {
  return runtime.schedules.remove({ id }, { context: { organization } });
}

export async function runScheduleNow(organization: string, id: string): Promise<RunView> {
  return (await runtime.schedules.run({ id }, { context: { organization } })).job;
}
