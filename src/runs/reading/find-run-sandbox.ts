// What the current attempt of a run is executed in, as its receipts tell it. It is read where one run is shown; lists
// do without it. The text of a receipt is looked at without verification here, as the rest of the row is.
import { z } from 'zod';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import { confinement } from '../../contract/sandbox.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import { readContaining } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { type Job, streamOf } from '../record/job.ts';

/** Few receipts of a run have this in their text; which of them counts is decided on the parsed one. */
const BEGAN = '"type":"began"';

/** As run-notes.ts writes it. */
const began = z.object({
  attempt: z.number(),
  progress: z.object({ type: z.literal('began'), sandbox: confinement.shape.driver, limits: confinement.shape.limits }),
});

/** Undefined until the attempt has its sandbox. */
export async function findRunSandbox(on: Queryable, job: Job): Promise<Confinement | undefined> {
  if (job.startedAt === undefined) return undefined;
  for (const linked of await readContaining(on, streamOf(job), BEGAN)) {
    const receipt = presentReceipt(linked);
    const { data } = began.safeParse(receipt.body);
    if (receipt.kind === 'job.progress' && data?.attempt === job.attempt)
      return { driver: data.progress.sandbox, limits: data.progress.limits };
  }
  return undefined;
}
