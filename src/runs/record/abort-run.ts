// Aborts a run, whatever its state. It races the worker for the head of the chain: one of them writes the final receipt,
// the other finds it there. A run that has ended stays as it is.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import { appendRunReceipt, type RunReceiptDraft } from './move-run.ts';
import { findRun } from './find-runs.ts';
import type { Run } from './run.ts';
import { isFinal } from './run-states.ts';
import { replayRun } from './replay-run.ts';
import { LOST_AUTHORITY, type LostAuthority } from './run-authority.ts';

export interface Aborted {
  readonly run: Run;
  /** False when the run had already ended. */
  readonly changed: boolean;
}

/** @param lost why the run may no longer go on, when no one requested the abort. */
export function abortRun(on: Queryable, found: Run, actor: string, lost?: LostAuthority): Promise<Aborted> {
  return retry(RETRIES.runHead, async (tries) => {
    const run = tries === 1 ? found : await findRun(on, found.id);
    if (!run) throw new AppError('not_found');
    await replayRun(on, run);
    if (isFinal(run.status)) return { run, changed: false };
    const aborted = await appendRunReceipt(on, run, abortedReceipt(run, actor, lost));
    if (!aborted) throw new AppError('conflict');
    return { run: aborted, changed: true };
  });
}

export function abortedReceipt(
  run: Pick<Run, 'status' | 'attempt'>,
  actor: string,
  lost: LostAuthority | undefined,
): RunReceiptDraft {
  const body = { from: run.status, attempt: run.attempt };
  return lost === undefined
    ? { kind: 'job.aborted', actor, body }
    : { kind: 'job.aborted', actor, body: { ...body, reason: lost }, error: `${LOST_AUTHORITY[lost]} (${lost})` };
}
