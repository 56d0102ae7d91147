// Reads the part of the store that some steps may read, in one snapshot, with the revisions of their origins.
import type { Queryable } from '../../store/database.ts';
import type { State } from '../core/draft.ts';
import type { Tags, Value } from '../protocol/protocol.ts';
import type { PromiseRecord, PromiseState, Task, TaskState } from '../protocol/records.ts';
import { namedIds, namedOrigins, type Step } from '../protocol/steps.ts';

export interface PromiseRow {
  readonly id: string;
  readonly state: PromiseState;
  readonly param: string;
  readonly value: string;
  readonly tags: string;
  readonly timeout_at: number;
  readonly created_at: number;
  readonly settled_at: number | null;
}

interface LoadedRow extends PromiseRow {
  readonly task_state: TaskState | null;
  readonly version: number;
  readonly resumes: string;
  readonly releases: number;
  readonly pid: string | null;
  readonly ttl: number | null;
  readonly wake_at: number | null;
  readonly offered_pid: string | null;
  readonly awaiters: string[] | null;
  readonly listeners: string[] | null;
}

export interface Loaded {
  /** The database's time: the one clock of all replicas. */
  readonly now: number;
  readonly state: State;
  /** Of every origin that the steps name; 0 for an origin that does not exist yet. */
  readonly revisions: readonly { readonly origin: string; readonly revision: number }[];
}

interface Answer extends Record<string, unknown> {
  loaded: { now: number; revisions: Record<string, number>; rows: LoadedRow[]; owned: PromiseRow[] };
}

/** Steps that settle a promise they name. */
const SETTLES: readonly Step['kind'][] = ['promise.settle', 'task.fulfill', 'task.fence'];
/** Steps that resume a task, and so are answered with the promises that its replay will request. */
const REPLAYS: readonly Step['kind'][] = ['task.acquire', 'task.create', 'task.suspend'];

export async function loadState(on: Queryable, steps: readonly Step[], at?: number): Promise<Loaded> {
  const origins = [...new Set(steps.flatMap(namedOrigins))];
  const { rows } = await on.query<Answer>('select :schema.broker_load($1, $2, $3, $4, $5) as loaded', [
    [...new Set(steps.flatMap(namedIds))],
    steps.filter(({ kind }) => SETTLES.includes(kind)).flatMap(namedIds),
    steps.filter(({ kind }) => REPLAYS.includes(kind)).flatMap((step) => namedIds(step).slice(0, 1)),
    origins,
    at ?? null,
  ]);
  const [answer] = rows;
  if (!answer) throw new Error('broker_load returned no row');
  const { loaded } = answer;
  return {
    now: loaded.now,
    state: toState(loaded.rows, loaded.owned),
    revisions: origins.map((origin) => ({ origin, revision: loaded.revisions[origin] ?? 0 })),
  };
}

function toState(rows: readonly LoadedRow[], owned: readonly PromiseRow[]): State {
  const state = {
    promises: new Map<string, PromiseRecord>(),
    tasks: new Map<string, Task>(),
    awaiters: new Map<string, string[]>(),
    listeners: new Map<string, string[]>(),
  };
  for (const row of rows) {
    state.promises.set(row.id, toPromise(row));
    const task = toTask(row);
    if (task) state.tasks.set(row.id, task);
    if (row.awaiters?.length) state.awaiters.set(row.id, row.awaiters);
    if (row.listeners?.length) state.listeners.set(row.id, row.listeners);
  }
  for (const row of owned) if (!state.promises.has(row.id)) state.promises.set(row.id, toPromise(row));
  return state;
}

export function toPromise(row: PromiseRow): PromiseRecord {
  return {
    id: row.id,
    state: row.state,
    param: JSON.parse(row.param) as Value,
    value: JSON.parse(row.value) as Value,
    tags: JSON.parse(row.tags) as Tags,
    timeoutAt: row.timeout_at,
    createdAt: row.created_at,
    ...(row.settled_at === null ? {} : { settledAt: row.settled_at }),
  };
}

function toTask(row: LoadedRow): Task | undefined {
  const { id, task_state: state, version, releases, pid, ttl, wake_at: wakeAt, offered_pid: offeredPid } = row;
  if (state === null) return undefined;
  const task = { id, state, version, releases, resumes: JSON.parse(row.resumes) as string[] };
  if (state === 'acquired')
    return {
      ...task,
      ...(pid === null ? {} : { pid }),
      ...(ttl === null ? {} : { ttl }),
      ...(wakeAt === null ? {} : { expiresAt: wakeAt }),
    };
  // While a task is offered, `wake_at` is the end of the offer, which the steps do not see.
  return state === 'pending' && wakeAt !== null && offeredPid === null ? { ...task, dispatchAt: wakeAt } : task;
}
