// The receipt log for operators. It shows stream names, so it requires the debug token.
import type { Queryable } from '../store/database.ts';
import { readReceiptFigures } from './read-receipt-figures.ts';

const CHECKPOINTS_SHOWN = 10;
const STREAMS_SHOWN = 20;

/** Whether a statement reads or writes receipts. */
export function isReceiptStatement(sql: string): boolean {
  return sql.includes(':schema.receipt');
}

export async function describeReceipts(on: Queryable): Promise<Record<string, unknown>> {
  const { counter: _, ...counts } = await readReceiptFigures(on);
  const checkpoints = await on.query(
    `select id, at, streams, encode(root, 'hex') as root from :schema.receipt_checkpoint order by id desc limit ${CHECKPOINTS_SHOWN}`,
  );
  // From recorded heads only: exact as of the last checkpoint, at a cost that grows with the streams.
  const longest = await on.query(
    `select stream, idx + 1 as receipts from :schema.receipt_checkpoint_head order by idx desc, stream limit ${STREAMS_SHOWN}`,
  );
  const kinds = await on.query(
    `select split_part(stream, '/', 1) as kind, count(*) as streams, sum(idx + 1)::bigint as receipts
     from :schema.receipt_checkpoint_head group by 1 order by 3 desc limit 50`,
  );
  return {
    ...counts,
    checkpoints: checkpoints.rows,
    atLastCheckpoint: { byKind: kinds.rows, longestStreams: longest.rows },
  };
}
