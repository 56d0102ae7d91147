import type { Head } from '../receipts/receipt.ts';
import type { Projection } from '../receipts/verify-stream.ts';
import type { Queryable } from '../store/database.ts';

/** The head that a run's row has now. */
export async function findJobHead(on: Queryable, jobId: string): Promise<Head | undefined> {
  const { rows } = await on.query<{ head_idx: number; head_hash: Buffer }>(
    'select head_idx, head_hash from :schema.job where id = $1',
    [jobId],
  );
  const [row] = rows;
  return row && { index: row.head_idx, hash: row.head_hash };
}

/** A run's row, whose head was read, as what its chain is held against. */
export function jobProjection(on: Queryable, jobId: string, head: Head): Projection {
  return { head, findHead: () => findJobHead(on, jobId) };
}
