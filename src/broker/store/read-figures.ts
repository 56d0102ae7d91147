// The broker as operators see it: groups, streams, leases, and why each waiting task waits.
import type { Queryable } from '../../store/database.ts';
import { groupOfQueue, UNSERVED_QUEUE } from '../protocol/address.ts';
import type { BrokerFigures, WaitingReason, WaitingTask } from '../protocol/figures.ts';

const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
const COUNTED_MAX = 10_000;
const LISTED_MAX = 100;
const WAITING_COLUMNS = `t.id, t.queue, t.state, t.lane, t.releases, t.queued_at is not null as queued, t.offered_pid is not null as offered, t.wake_at is not null as paused, ${NOW} - t.since as waiting`;

interface StreamRow extends Record<string, unknown> {
  task_group: string;
  pid: string;
  replica: string;
  credit: number;
  held: number;
  connected: number;
}

interface WaitingRow extends Record<string, unknown> {
  id: string;
  queue: string;
  state: 'pending' | 'halted';
  lane: string;
  releases: number;
  queued: boolean;
  offered: boolean;
  paused: boolean;
  waiting: number;
}

/** What the reason of a waiting task depends on besides the task. */
interface Serving {
  readonly streams: readonly StreamRow[];
  /** Places that each tenant has in each queue, by `placeOf`. */
  readonly holds: ReadonlyMap<string, number>;
  readonly sharePercent: number;
}

export async function readFigures(
  on: Queryable,
  sharePercent: number,
  own: Pick<BrokerFigures, 'replica' | 'leads' | 'stepsWaiting'>,
): Promise<BrokerFigures> {
  const serving = await readServing(on, sharePercent);
  const { streams } = serving;
  const { rows } = await on.query<WaitingRow>(
    `select ${WAITING_COLUMNS} from :schema.broker_task t where t.state in ('pending', 'halted') order by t.queue, t.state, t.since limit ${COUNTED_MAX}`,
  );
  const counts = (
    await on.query<{ leases: number; replicas: number }>(
      `select (select count(*) from :schema.broker_task where holder is not null and state = 'acquired') as leases,
            (select count(*) from :schema.broker_replica where seen_at > ${NOW} - 4000) as replicas`,
    )
  ).rows[0];
  const tasks = rows.map((row) => toWaiting(row, serving));
  const groups = [...new Set([...streams.map((row) => row.task_group), ...tasks.map(({ group }) => group)])].sort();
  return {
    ...own,
    replicas: counts?.replicas ?? 0,
    leases: counts?.leases ?? 0,
    groups: groups.map((group) => ({
      group,
      streams: streams
        .filter((row) => row.task_group === group)
        .map(({ pid, replica, credit, held, connected }) => ({ pid, replica, credit, held, connectedMs: connected })),
      waiting: countReasons(tasks.filter((task) => task.group === group)),
    })),
    waiting: tasks.toSorted((a, b) => b.waitingMs - a.waitingMs).slice(0, LISTED_MAX),
    truncated: rows.length === COUNTED_MAX,
  };
}

export async function readWaiting(on: Queryable, sharePercent: number, origin: string): Promise<WaitingTask[]> {
  const { rows } = await on.query<WaitingRow>(
    `select ${WAITING_COLUMNS} from :schema.broker_task t where (t.id = $1 or (t.id >= $1 || ':' and t.id < $1 || ';')) and t.state in ('pending', 'halted') order by t.since limit ${LISTED_MAX}`,
    [origin],
  );
  if (rows.length === 0) return [];
  const serving = await readServing(on, sharePercent);
  return rows.map((row) => toWaiting(row, serving));
}

async function readServing(on: Queryable, sharePercent: number): Promise<Serving> {
  const { rows: streams } = await on.query<StreamRow>(
    `select s.task_group, s.pid, s.replica, s.credit, ${NOW} - s.connected_at as connected, (select count(*) from :schema.broker_task t where t.holder = s.pid)::int as held
     from :schema.broker_stream s where s.ended_at is null order by s.task_group, s.connected_at limit 1000`,
  );
  const { rows: held } = await on.query<{ queue: string; lane: string; number: number }>(
    'select queue, lane, count(*)::int as number from :schema.broker_task where holder is not null group by queue, lane',
  );
  return { streams, holds: new Map(held.map((row) => [placeOf(row), row.number])), sharePercent };
}

function placeOf({ queue, lane }: { readonly queue: string; readonly lane: string }): string {
  return `${queue} ${lane}`;
}

function toWaiting(row: WaitingRow, serving: Serving): WaitingTask {
  return {
    task: row.id,
    group: groupOfQueue(row.queue),
    reason: reasonOf(row, serving),
    tenant: row.lane.slice(1),
    waitingMs: row.waiting,
    releases: row.releases,
  };
}

function reasonOf(row: WaitingRow, { streams, holds, sharePercent }: Serving): WaitingReason {
  const { queue, state, queued, offered, paused, releases } = row;
  if (state === 'halted') return 'halted';
  if (queue === UNSERVED_QUEUE) return 'address not served';
  if (offered) return 'being delivered';
  if (paused) return releases > 0 ? 'backing off' : 'delayed';
  if (!queued) return 'waiting for its deadline';
  const serving = streams.filter(
    ({ task_group: group, pid, credit }) => credit > 0 && (queue === `any@${group}` || queue === `uni@${group}/${pid}`),
  );
  if (serving.length === 0) return 'no stream connected';
  if (serving.every(({ credit, held }) => held >= credit)) return 'no credit';
  const places = serving.reduce((sum, { credit }) => sum + credit, 0);
  const hasShare = (holds.get(placeOf(row)) ?? 0) >= Math.max(1, Math.floor((places * sharePercent) / 100));
  return hasShare ? 'tenant has its share' : 'being delivered';
}

function countReasons(tasks: readonly WaitingTask[]): Partial<Record<WaitingReason, number>> {
  const counts: Partial<Record<WaitingReason, number>> = {};
  for (const { reason } of tasks) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
