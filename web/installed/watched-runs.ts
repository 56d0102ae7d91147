// The runs that a person started in this browser and that have not ended as far as it knows. Their ids are kept, so that
// another tab, or this one after a reload, can tell when they end.
import type { ChangeOnWire } from '../../src/contract/changes.ts';
import { readFault } from '../api/fault.ts';
import { runtime } from '../api/runtime-client.ts';
import { createKeyedStore } from '../kit/keyed-store.ts';
import { notify, wantsNotifications } from './notify.ts';
import { notificationStrings as strings } from './strings.ts';

interface WatchedRun {
  readonly id: string;
  readonly organization: string;
}

const NONE: readonly WatchedRun[] = [];
const MOST = 20;

const watched = createKeyedStore<readonly WatchedRun[]>({
  empty: NONE,
  isEmpty: (runs) => runs.length === 0,
  persist: {
    area: 'local',
    prefix: 'watched-runs:',
    pack: (runs) => JSON.stringify(runs),
    unpack: (stored) => JSON.parse(stored) as WatchedRun[],
  },
});

export function watchRun(user: string, run: WatchedRun): void {
  watched.change(user, (runs) => [...runs.filter(({ id }) => id !== run.id), run].slice(-MOST));
}

function unwatch(user: string, run: string): void {
  watched.change(user, (runs) => runs.filter(({ id }) => id !== run));
}

/** Whether a hidden tab has to keep listening. */
export function waitsForRun({ user, organization }: Watcher): boolean {
  return wantsNotifications(user) && watched.get(user).some((run) => run.organization === organization);
}

export interface Watcher {
  readonly user: string;
  readonly organization: string;
}

/** After changes, or after a gap in which there may have been some: tells of watched runs that have ended. */
export async function noticeEndedRuns(
  { user, organization }: Watcher,
  changes: readonly ChangeOnWire[] | undefined,
): Promise<void> {
  if (!wantsNotifications(user)) return;
  const all = changes === undefined || changes.some(({ table }) => table === '*');
  const changed = new Set(changes?.flatMap(({ table, id }) => (table === 'job' && id !== undefined ? id : [])));
  const due = watched.get(user).filter((run) => run.organization === organization && (all || changed.has(run.id)));
  await Promise.all(due.map(({ id }) => noticeEnd(user, { id, organization })));
}

async function noticeEnd(user: string, { id, organization }: WatchedRun): Promise<void> {
  try {
    const { status, objective } = (await runtime.jobs.get({ id }, { context: { organization } })).job;
    const text = (strings.ended as Partial<Record<typeof status, string>>)[status];
    if (text === undefined) return;
    unwatch(user, id);
    // Somebody who looks at the app sees it there.
    if (document.hasFocus()) return;
    await notify(user, {
      text,
      title: objective,
      tag: `run ${id}`,
      path: `/runs/${encodeURIComponent(id)}?org=${encodeURIComponent(organization)}`,
    });
  } catch (error) {
    // Deleted, or no longer visible. After anything else the next change asks again.
    if (readFault(error).status === 404) unwatch(user, id);
  }
}
