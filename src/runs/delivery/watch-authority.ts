// Aborts runs that have lost their authority. It polls the tables instead of hooking into each way of revoking a token or
// removing a member, so none of them can forget the runs. One check costs one row per person, workspace and token with
// unfinished runs, however many runs there are.
import type { Log } from '../../telemetry/log.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { every } from '../../timing/every.ts';
import { abortRun } from '../record/abort-run.ts';
import type { Dispatcher } from './dispatch-run.ts';
import { type Run, runColumns, type RunRow, streamOf, toRun } from '../record/run.ts';
import type { LostAuthority } from '../record/run-authority.ts';

export interface WatchDeps {
  readonly db: Queryable;
  readonly log: Log;
  readonly dispatcher: Pick<Dispatcher, 'cancel'>;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
}

export interface AuthorityWatch {
  /** Checks now; also what the timer does. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = 1_000;
const AT_ONCE = 100;

const LOST = `
with holder as materialized (
  select distinct j.created_by, j.organization_id, j.workspace_id, j.token_id, j.grant_id from :schema.job j
  where j.status in ('queued', 'running') and j.created_by is not null
), judged as materialized (
  select h.*, :schema.run_lost_authority(h.organization_id, h.workspace_id, h.created_by, h.token_id, h.grant_id) as lost from holder h
)
select ${runColumns('j')}, w.lost from judged w
join :schema.job j on j.created_by = w.created_by and j.status in ('queued', 'running') and j.organization_id = w.organization_id and j.workspace_id = w.workspace_id
  and j.token_id is not distinct from w.token_id and j.grant_id is not distinct from w.grant_id
where w.lost is not null and j.waiting_reason is distinct from 'receipt_chain_invalid' limit ${AT_ONCE}`;

export function watchAuthority({ db, log, dispatcher, onAppended }: WatchDeps): AuthorityWatch {
  async function end(run: Run, lost: LostAuthority): Promise<void> {
    const { run: ended, changed } = await abortRun(db, run, 'system:api', lost);
    if (!changed) return;
    log.info({ job: run.id, reason: lost }, 'run aborted: it lost its authority');
    onAppended([{ stream: streamOf(ended) }]);
    dispatcher.cancel(ended);
  }

  async function abortLost(): Promise<void> {
    const { rows } = await db.query<RunRow & { lost: LostAuthority }>(LOST);
    for (const row of rows)
      await end(toRun(row), row.lost).catch((error: Error) =>
        log.warn({ job: row.id, err: error }, 'could not abort run that lost its authority, will retry'),
      );
  }

  const { run: look, stop } = every({
    everyMs: CHECK_EVERY_MS,
    task: 'checking the authority of runs',
    log,
    run: abortLost,
  });
  return { look, stop };
}
