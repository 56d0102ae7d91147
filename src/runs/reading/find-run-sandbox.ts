// The sandbox of a run's current attempt, from its receipts. Read only where a single run is shown. As with the rest of
// the row, the receipts are not verified here.
import { z } from 'zod';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import { confinement } from '../../contract/sandbox.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import { readContaining } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { type Run, streamOf } from '../record/run.ts';

/** Preselects receipts by their text; the parsed receipt decides. */
const BEGAN = '"type":"began"';

/** Written by run-notes.ts. */
const began = z.object({
  attempt: z.number(),
  progress: z.object({ type: z.literal('began'), sandbox: confinement.shape.driver, limits: confinement.shape.limits }),
});

/** Undefined until the attempt has its sandbox. */
export async function findRunSandbox(on: Queryable, run: Run): Promise<Confinement | undefined> {
  if (run.startedAt === undefined) return undefined;
  for (const linked of await readContaining(on, streamOf(run), BEGAN)) {
    const receipt = presentReceipt(linked);
    const { data } = began.safeParse(receipt.body);
    if (receipt.kind === 'job.progress' && data?.attempt === run.attempt)
      return { driver: data.progress.sandbox, limits: data.progress.limits };
  }
  return undefined;
}
