// Receives every change notification once for the whole process and passes it to the viewers of its organization.
// Receipts, runs and connections are announced on topics of their own, without the organization: notifications that
// arrive together are looked up together, and only while there are viewers.
import type { Log } from '../../../telemetry/log.ts';
import { runOfStream, workspaceOfConnectStream } from '../../../audit/stream-names.ts';
import { CONNECTIONS_TOPIC } from '../../../connections/notify-change.ts';
import { findRunRefs } from '../../../runs/record/find-runs.ts';
import { APPENDED_TOPIC } from '../../../receipts/announce-appends.ts';
import { CHANGE_TOPIC, type ChangeNotice, readChangeNotice } from '../../../store/change-notice.ts';
import type { Database } from '../../../store/database.ts';
import type { Heard, Listener } from '../../../store/listen.ts';
import { findOrganizationsOf } from '../../../tenancy/members/find-viewer.ts';

interface ChangeListener {
  changed(notice: ChangeNotice): void;
  /** Memberships have changed. */
  moved(): void;
  /** Notifications were lost. */
  missed(): void;
}

export interface ChangeHub {
  join(organizationId: string, listener: ChangeListener): () => void;
  close(): void;
}

interface HubDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly log: Log;
  /** Whether the viewers follow runs and memberships only. */
  readonly onlyRuns?: boolean;
}

const GATHER_MS = 50;
const MAX_GATHERED = 1_000;
/** Changes to these tables change memberships. */
const MOVES: readonly string[] = ['organization_member', 'workspace', 'workspace_member'];

export function createChangeHub({ db, listener, log, onlyRuns = false }: HubDeps): ChangeHub {
  const viewers = new Map<string, Set<ChangeListener>>();
  const reportMissed = (): void => {
    for (const each of viewers.values()) for (const viewer of each) viewer.missed();
  };
  const publish = (notice: ChangeNotice): void => {
    for (const viewer of viewers.get(notice.organization) ?? []) {
      if (MOVES.includes(notice.table)) viewer.moved();
      viewer.changed(notice);
    }
  };
  const lookups = createLookups({ db, log, hasViewers: () => viewers.size > 0, publish, reportMissed });

  const on = (topic: string, hear: (value: string) => void): (() => void) =>
    listener.subscribe(topic, (heard: Heard) => {
      if (heard.missed) reportMissed();
      else hear(heard.value);
    });
  const unsubscribe = [
    on('tenancy', (organizationId) => {
      for (const viewer of viewers.get(organizationId) ?? []) viewer.moved();
    }),
    on(APPENDED_TOPIC, (stream) => {
      const [runId, workspaceId] = [runOfStream(stream), workspaceOfConnectStream(stream)];
      if (runId !== undefined) lookups.add('jobs', runId);
      else if (workspaceId !== undefined && !onlyRuns) lookups.add('receipt', workspaceId);
    }),
  ];
  if (!onlyRuns)
    unsubscribe.push(
      on(CONNECTIONS_TOPIC, (workspaceId) => lookups.add('connection', workspaceId)),
      on(CHANGE_TOPIC, (value) => {
        const notice = readChangeNotice(value);
        if (notice) publish(notice);
      }),
    );

  return {
    join(organizationId, viewer) {
      const set = viewers.get(organizationId) ?? new Set();
      viewers.set(organizationId, set.add(viewer));
      return () => {
        set.delete(viewer);
        if (set.size === 0 && viewers.get(organizationId) === set) viewers.delete(organizationId);
      };
    },
    close() {
      lookups.close();
      for (const stop of unsubscribe) stop();
      viewers.clear();
    },
  };
}

interface LookupDeps {
  readonly db: Database;
  readonly log: Log;
  readonly hasViewers: () => boolean;
  readonly publish: (notice: ChangeNotice) => void;
  readonly reportMissed: () => void;
}

interface Lookups {
  /** A run by its id, or receipts or connections of a workspace by the workspace's id. */
  add(what: 'jobs' | 'receipt' | 'connection', id: string): void;
  close(): void;
}

/** Finds the organizations of changes that were announced without one. */
function createLookups({ db, log, hasViewers, publish, reportMissed }: LookupDeps): Lookups {
  const gathered = { jobs: new Set<string>(), receipt: new Set<string>(), connection: new Set<string>() };
  let timer: NodeJS.Timeout | undefined;

  async function lookUp(): Promise<void> {
    timer = undefined;
    const { jobs: runs, receipt, connection } = gathered;
    const [runIds, tables] = [[...runs], { receipt: [...receipt], connection: [...connection] }];
    for (const set of [runs, receipt, connection]) set.clear();
    const workspaceIds = [...new Set([...tables.receipt, ...tables.connection])];
    const refs = runIds.length > 0 ? await findRunRefs(db, runIds) : [];
    for (const { id, organizationId, workspaceId } of refs)
      publish({ table: 'job', organization: organizationId, workspace: workspaceId, id });
    const organizations =
      workspaceIds.length > 0 ? await findOrganizationsOf(db, workspaceIds) : new Map<string, string>();
    for (const [table, ids] of Object.entries(tables)) {
      for (const workspace of ids) publish({ table, organization: organizations.get(workspace) ?? '', workspace });
    }
  }

  return {
    add(what, id) {
      if (!hasViewers()) return;
      const set = gathered[what].add(id);
      if (set.size > MAX_GATHERED) {
        set.clear();
        return reportMissed();
      }
      timer ??= setTimeout(() => {
        lookUp().catch((error: unknown) => {
          log.warn({ err: error }, 'could not look up changes, clients will refetch');
          reportMissed();
        });
      }, GATHER_MS);
    },
    close: () => clearTimeout(timer),
  };
}
