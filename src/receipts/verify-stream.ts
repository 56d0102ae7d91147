import { AppError } from '../base/errors.ts';
import type { Queryable } from '../store/database.ts';
import { walkStream } from './read-stream.ts';
import type { Head, LinkedReceipt } from './receipt.ts';
import { createChainVerifier, type Verdict } from './verify-chain.ts';

export interface Projection {
  /** The recorded head, read before the chain, which only grows. */
  readonly head: Head;
  /** The same, read again: both grow together, so a chain that goes past it was not written by the service. */
  readonly findHead: () => Promise<Head | undefined>;
}

/** Verifies a whole stream against its recorded head, the last checkpoint and its projection. */
export async function verifyStream(on: Queryable, stream: string, projection?: Projection): Promise<Verdict> {
  return walkVerified(on, stream, projection, () => {});
}

/** All receipts of a stream, or a refusal: a chain that does not verify is never replayed. */
export async function replayStream(on: Queryable, stream: string, projection?: Projection): Promise<LinkedReceipt[]> {
  const receipts: LinkedReceipt[] = [];
  const { fault } = await walkVerified(on, stream, projection, (receipt) => receipts.push(receipt));
  if (fault) throw new AppError('receipt_chain_invalid', { stream, ...fault });
  return receipts;
}

async function walkVerified(
  on: Queryable,
  stream: string,
  projection: Projection | undefined,
  take: (receipt: LinkedReceipt) => void,
): Promise<Verdict> {
  const verifier = createChainVerifier(stream, [
    ...(projection ? [projection.head] : []),
    ...(await findRecordedHeads(on, stream)),
  ]);
  walking: for await (const receipts of walkStream(on, stream)) {
    for (const receipt of receipts) {
      if (!verifier.take(receipt)) break walking;
      take(receipt);
    }
  }
  const verdict = verifier.finish();
  if (verdict.fault || !projection || !verdict.head || verdict.head.index <= projection.head.index) return verdict;
  const end = (await projection.findHead()) ?? projection.head;
  return verdict.head.index <= end.index
    ? verdict
    : { ...verdict, fault: { reason: 'head_mismatch', index: end.index } };
}

// The head that was recorded last comes first: it is the furthest.
const RECORDED = `
select idx, hash from :schema.receipt_head where stream = $1
union all
select idx, hash from :schema.receipt_checkpoint_head where stream = $1`;

async function findRecordedHeads(on: Queryable, stream: string): Promise<Head[]> {
  const { rows } = await on.query<{ idx: number; hash: Buffer }>(RECORDED, [stream]);
  return rows.map((row) => ({ index: row.idx, hash: row.hash }));
}
