import { AppError } from '../base/errors.ts';
import type { Queryable } from '../store/database.ts';
import { walkStream } from './read-stream.ts';
import type { Head, LinkedReceipt } from './receipt.ts';
import { createChainVerifier, type Verdict } from './verify-chain.ts';

/**
 * Verifies a stream from its first receipt to its end, against the last checkpoint and any further recorded heads.
 * Recorded heads are read before the chain, which only grows.
 */
export async function verifyStream(on: Queryable, stream: string, recorded: readonly Head[] = []): Promise<Verdict> {
  const verifier = createChainVerifier(stream, [...recorded, ...(await findCheckpointedHead(on, stream))]);
  for await (const receipt of walkStream(on, stream)) if (!verifier.take(receipt)) break;
  return verifier.finish();
}

/** All receipts of a stream, or a refusal: a chain that does not verify is never replayed. */
export async function replayStream(on: Queryable, stream: string, recorded: readonly Head[] = []): Promise<LinkedReceipt[]> {
  const verifier = createChainVerifier(stream, [...recorded, ...(await findCheckpointedHead(on, stream))]);
  const receipts: LinkedReceipt[] = [];
  for await (const receipt of walkStream(on, stream)) {
    if (!verifier.take(receipt)) break;
    receipts.push(receipt);
  }
  const { fault } = verifier.finish();
  if (fault) throw new AppError('receipt_chain_invalid', { stream, ...fault });
  return receipts;
}

async function findCheckpointedHead(on: Queryable, stream: string): Promise<Head[]> {
  const { rows } = await on.query<{ idx: number; hash: Buffer }>('select idx, hash from :schema.receipt_checkpoint_head where stream = $1', [stream]);
  return rows.map((row) => ({ index: row.idx, hash: row.hash }));
}
