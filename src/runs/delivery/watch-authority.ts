// Ends runs that may no longer go on. What took their authority away is not asked: the tables are read again and again,
// so that no way of revoking a token or removing a member can forget the runs. One look costs one row for each person,
// workspace and token with unfinished runs, however many runs these are.
import type { Log } from '../../base/log.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { abortJob } from '../record/abort-job.ts';
import type { Dispatcher } from './dispatch-job.ts';
import { type Job, jobColumns, type JobRow, streamOf, toJob } from '../record/job.ts';
import type { LostAuthority } from '../record/run-authority.ts';

export interface WatchDeps {
  readonly db: Queryable;
  readonly log: Log;
  readonly dispatcher: Pick<Dispatcher, 'cancel'>;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
}

export interface AuthorityWatch {
  /** Looks now; also what the timer does. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 100;

const LOST = `
with holder as materialized (
  select distinct j.created_by, j.organization_id, j.workspace_id, j.token_id, j.grant_id from :schema.job j
  where j.status in ('queued', 'running') and j.created_by is not null
), judged as materialized (
  select h.*, :schema.run_lost_authority(h.organization_id, h.workspace_id, h.created_by, h.token_id, h.grant_id) as lost from holder h
)
select ${jobColumns('j')}, w.lost from judged w
join :schema.job j on j.created_by = w.created_by and j.status in ('queued', 'running') and j.organization_id = w.organization_id and j.workspace_id = w.workspace_id
  and j.token_id is not distinct from w.token_id and j.grant_id is not distinct from w.grant_id
where w.lost is not null and j.waiting_reason is distinct from 'receipt_chain_invalid' limit ${AT_ONCE}`;

export function watchAuthority({ db, log, dispatcher, onAppended }: WatchDeps): AuthorityWatch {
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  async function end(job: Job, lost: LostAuthority): Promise<void> {
    const { job: ended, changed } = await abortJob(db, job, 'system:api', lost);
    if (!changed) return;
    log.info({ job: job.id, reason: lost }, 'run aborted: it lost its authority');
    onAppended([{ stream: streamOf(ended) }]);
    dispatcher.cancel(ended);
  }

  async function lookOnce(): Promise<void> {
    if (stopped) return;
    const { rows } = await db.query<JobRow & { lost: LostAuthority }>(LOST);
    for (const row of rows)
      await end(toJob(row), row.lost).catch((error: Error) =>
        log.warn({ job: row.id, err: error }, 'run without authority could not be aborted'),
      );
  }

  const look = (): Promise<void> =>
    (looking = looking
      .then(lookOnce)
      .catch((error: Error) => log.warn({ err: error }, 'authority of runs could not be checked')));
  let waiting = false;
  const timer = setInterval(() => {
    if (waiting) return;
    waiting = true;
    void look().finally(() => (waiting = false));
  }, LOOK_EVERY_MS);

  return {
    look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
