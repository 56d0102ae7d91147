// The short way to begin a run: one statement for all that are begun in this moment verifies the chain of each, puts
// job.started behind job.queued and moves the row. It does so only for a run that nobody has begun and whose chain is
// what it should be; any other is left to the careful way.
import { receiptText } from '../../receipts/receipt.ts';
import { groupOnDatabase } from './group-on-database.ts';
import { type Job, jobColumns, type JobRow, LOOK_AGAIN_SECONDS, toJob } from './job.ts';

interface Begin {
  readonly id: string;
  readonly at: Date;
  readonly text: string;
}

const BEGIN = `select ${jobColumns('j')} from :schema.job_begin($1, $2) j`;

/** The text of the receipt that begins a run. */
export function startedText(actor: string, at: Date): string {
  return receiptText({ kind: 'job.started', actor, body: { attempt: 1 } }, at);
}

/** The job as it is now, or undefined where it was not begun. */
export const beginJob = groupOnDatabase<Begin, Job | undefined>(async (on, begins) => {
  const { rows } = await on.query<JobRow>(BEGIN, [
    JSON.stringify(begins.map(({ id, at, text }) => ({ id, at, body: text }))),
    LOOK_AGAIN_SECONDS,
  ]);
  const begun = new Map(rows.map((row) => [row.id, row]));
  return begins.map(({ id }) => {
    const row = begun.get(id);
    // Of two that name the same job, one has begun it.
    begun.delete(id);
    return row && toJob(row);
  });
});
