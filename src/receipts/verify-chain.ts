// Chain verification, one receipt at a time, no I/O. The first fault in order index, prev, hash, then head is
// the one that is named.
import { genesisHash, type Head, type LinkedReceipt, receiptHash } from './receipt.ts';

export const CHAIN_FAULTS = {
  index_gap: 'a receipt is missing or out of place; the index named is the one that was expected',
  prev_mismatch: 'the link to the receipt before is broken',
  hash_mismatch: 'the text and the hash of the receipt disagree',
  head_mismatch: 'the chain ends before, differs at, or goes past a head that was recorded elsewhere',
} as const;

export type ChainFault = keyof typeof CHAIN_FAULTS;

export interface Verdict {
  readonly count: number;
  readonly head: Head | undefined;
  readonly fault?: { readonly reason: ChainFault; readonly index: number };
}

export interface ChainVerifier {
  /** Takes the next receipt; false once a fault is found. */
  take(receipt: LinkedReceipt): boolean;
  /** The verdict after the last receipt. */
  finish(): Verdict;
}

/** @param recorded heads that a projection or a checkpoint wrote down: the chain must reach and contain them. */
export function createChainVerifier(stream: string, recorded: readonly Head[] = []): ChainVerifier {
  let count = 0;
  let head: Head | undefined;
  let fault: Verdict['fault'];
  let rewritten: Head | undefined;

  return {
    take(receipt) {
      if (fault) return false;
      const reason = faultOf(receipt, count, head?.hash ?? genesisHash(stream));
      if (reason) {
        fault = { reason, index: reason === 'index_gap' ? count : receipt.index };
        return false;
      }
      for (const known of recorded)
        if (known.index === receipt.index && !known.hash.equals(receipt.hash)) rewritten ??= known;
      head = { index: receipt.index, hash: receipt.hash };
      count++;
      return true;
    },
    finish() {
      const missed = rewritten ?? recorded.find((known) => known.index >= count);
      if (!fault && missed) fault = { reason: 'head_mismatch', index: missed.index };
      return { count, head, ...(fault ? { fault } : {}) };
    },
  };
}

function faultOf(receipt: LinkedReceipt, expectedIndex: number, expectedPrev: Buffer): ChainFault | undefined {
  if (receipt.index !== expectedIndex) return 'index_gap';
  if (!receipt.prev.equals(expectedPrev)) return 'prev_mismatch';
  if (!receipt.hash.equals(receiptHash(receipt.prev, receipt.text))) return 'hash_mismatch';
  return undefined;
}
