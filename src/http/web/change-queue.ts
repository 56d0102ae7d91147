// Changes that wait to be sent to one viewer: each once, and no more than a view could use. Whether the viewer may
// receive a change is decided when it is sent, by the rights they have at that moment.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { CHANGED, type Changed, type ChangeOnWire } from '../../contract/changes.ts';
import type { ChangeNotice } from '../../store/change-notice.ts';
import type { Viewer } from '../../tenancy/members/find-viewer.ts';

export interface ChangeQueue {
  add(notice: ChangeNotice): void;
  /** Notifications were lost. */
  addMissed(): void;
  /** Empties the queue and returns what the viewer may receive. */
  take(viewer: Viewer): readonly ChangeOnWire[];
}

const MOST = 200;
/** Only for members of the workspace; the others also for owners and admins of the organization. */
const OF_MEMBERS: readonly Changed[] = ['chat_share', 'connection', 'job', 'receipt'];

export function createChangeQueue(): ChangeQueue {
  const waiting = new Map<CacheKey, ChangeNotice>();
  let missed = false;
  return {
    add(notice) {
      if (missed || !isKnown(notice.table)) return;
      waiting.set(cacheKey(notice.table, notice.workspace ?? null, notice.id ?? null), notice);
      if (waiting.size <= MOST) return;
      missed = true;
      waiting.clear();
    },
    addMissed() {
      missed = true;
      waiting.clear();
    },
    take(viewer) {
      const told = missed
        ? [{ table: '*' as const }]
        : [...waiting.values()].filter((notice) => mayReceive(viewer, notice)).map(present);
      missed = false;
      waiting.clear();
      return told;
    },
  };
}

function isKnown(table: string): table is Changed {
  return (CHANGED as readonly string[]).includes(table);
}

function mayReceive(viewer: Viewer, { table, organization, workspace, user }: ChangeNotice): boolean {
  if (organization !== viewer.organizationId) return false;
  if (user !== undefined && user !== viewer.userId) return false;
  if (workspace === undefined) return true;
  return ((OF_MEMBERS as readonly string[]).includes(table) ? viewer.isIn : viewer.sees).has(workspace);
}

function present({ table, workspace, id }: ChangeNotice): ChangeOnWire {
  return {
    table: table as Changed,
    ...(workspace === undefined ? {} : { workspace }),
    ...(id === undefined ? {} : { id }),
  };
}
