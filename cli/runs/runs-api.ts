// Background runs, as several commands need them.
import { type Account, requireToken } from '../account.ts';
import type { RuntimeClient } from '../api/typed-clients.ts';

export type RunView = Awaited<ReturnType<RuntimeClient['jobs']['get']>>['job'];
export type RunEvent = Awaited<ReturnType<RuntimeClient['jobs']['events']>>['events'][number];
export type RunStatus = RunView['status'];
export type RunKind = RunView['kind'];
export type Waiting = NonNullable<RunView['waiting']>;

const FINAL: readonly RunStatus[] = ['completed', 'failed', 'aborted'];

export async function openRuns(account: Account): Promise<RuntimeClient['jobs']> {
  requireToken(account);
  const { runtimeClient } = await import('../api/typed-clients.ts');
  return runtimeClient(account).jobs;
}

export const isFinal = (status: RunStatus): boolean => FINAL.includes(status);

/** The path of a run; the ID is user input. */
export const runPath = (id: string, more = ''): string => `/runtime/jobs/${encodeURIComponent(id)}${more}`;
