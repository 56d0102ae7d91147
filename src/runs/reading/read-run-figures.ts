// How many runs there are, by status. Unfinished runs are counted through an index that holds no others. Of the finished
// ones only those of the last day are counted, up to a bound, so older runs cost nothing.
import type { Queryable } from '../../store/database.ts';
import type { RunStatus } from '../record/run-states.ts';

export interface RunFigures {
  readonly queued: number;
  readonly running: number;
  /** Of the last 24 hours. */
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
  /** False when the bound was reached. */
  readonly exact: boolean;
  readonly waiting: Readonly<Record<string, number>>;
  /** Reason and index of some of the chain faults that keep runs from being executed. */
  readonly chainFaults: readonly string[];
  readonly oldestQueuedSeconds: number | undefined;
  readonly endedLastMinute: number;
}

const COUNTED_MAX = 100_000;

const OPEN = `
select status, waiting_reason, count(*) as n, extract(epoch from now() - min(created_at))::int as oldest
from (select status, waiting_reason, created_at from :schema.job where status in ('queued', 'running') limit ${COUNTED_MAX}) j group by 1, 2`;
const CHAIN_FAULTS = `
select distinct substring(error from '[a-z]+_[a-z]+ at index -?[0-9]+$') as fault
from :schema.job where status in ('queued', 'running') and waiting_reason = 'receipt_chain_invalid' and error is not null order by 1 limit 5`;
const ENDED = `select status, count(*) as n from (select status from :schema.job where ended_at > now() - interval '24 hours' limit ${COUNTED_MAX}) j group by 1`;

const LATELY = `select count(*) as n from (select from :schema.job where ended_at > now() - interval '1 minute' limit ${COUNTED_MAX}) j`;

export async function readRunFigures(on: Queryable): Promise<RunFigures> {
  const open = (await on.query<{ status: RunStatus; waiting_reason: string | null; n: number; oldest: number }>(OPEN))
    .rows;
  const ended = (await on.query<{ status: RunStatus; n: number }>(ENDED)).rows;
  const faults = (await on.query<{ fault: string | null }>(CHAIN_FAULTS)).rows;
  const lately = (await on.query<{ n: number }>(LATELY)).rows;
  const counts: Record<RunStatus, number> = { queued: 0, running: 0, completed: 0, failed: 0, aborted: 0 };
  for (const { status, n } of [...open, ...ended]) counts[status] += n;
  const queued = open.filter(({ status }) => status === 'queued');
  const waiting: Record<string, number> = {};
  for (const { waiting_reason: reason, n } of queued) waiting[reason ?? 'dispatching'] = n;
  return {
    ...counts,
    exact:
      counts.queued + counts.running < COUNTED_MAX && counts.completed + counts.failed + counts.aborted < COUNTED_MAX,
    waiting,
    chainFaults: faults.flatMap(({ fault }) => fault ?? []),
    oldestQueuedSeconds: queued.length > 0 ? Math.max(...queued.map(({ oldest }) => oldest)) : undefined,
    endedLastMinute: lately[0]?.n ?? 0,
  };
}
