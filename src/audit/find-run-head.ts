import type { Head } from '../receipts/receipt.ts';
import type { Projection } from '../receipts/verify-stream.ts';
import type { Queryable } from '../store/database.ts';

/** The current head in a run's row. */
async function findRunHead(on: Queryable, runId: string): Promise<Head | undefined> {
  const { rows } = await on.query<{ head_idx: number; head_hash: Buffer }>(
    'select head_idx, head_hash from :schema.job where id = $1',
    [runId],
  );
  const [row] = rows;
  return row && { index: row.head_idx, hash: row.head_hash };
}

/** A run's row as the projection its chain is checked against. */
export function runProjection(on: Queryable, runId: string, head: Head): Projection {
  return { head, findHead: () => findRunHead(on, runId) };
}
