// Schedules, as their commands need them.
import type { Account } from '../account.ts';
import { requireToken } from '../account.ts';
import type { RuntimeClient } from '../api/typed-clients.ts';

export type SchedulesClient = RuntimeClient['schedules'];
export type ScheduleView = Awaited<ReturnType<SchedulesClient['get']>>['schedule'];

export async function openSchedules(account: Account): Promise<SchedulesClient> {
  requireToken(account);
  const { runtimeClient } = await import('../api/typed-clients.ts');
  return runtimeClient(account).schedules;
}

/** When it starts its run, in one cell. */
export function describeTimes({ cron, timezone, every, at }: ScheduleView): string {
  if (cron !== undefined) return `${cron} (${timezone ?? ''})`;
  return every === undefined ? (at ?? '') : `every ${every} s`;
}

export function describeState({ enabled, paused }: ScheduleView): string {
  if (paused) return `paused (${paused.reason})`;
  return enabled ? 'on' : 'off';
}
