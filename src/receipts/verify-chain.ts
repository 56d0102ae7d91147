// Chain verification, one receipt at a time, without I/O. Of several faults the first is reported, in the order index,
// prev, hash, head.
import { genesisHash, type Head, isHashOf, type LinkedReceipt } from './receipt.ts';

const CHAIN_FAULTS = {
  index_gap: 'a receipt is missing or out of order; the index is the expected one',
  prev_mismatch: 'the link to the previous receipt is broken',
  hash_mismatch: 'the hash of the receipt does not match its text',
  head_mismatch: 'the chain ends before, differs at, or goes past a head that was recorded elsewhere',
} as const;

type ChainFault = keyof typeof CHAIN_FAULTS;

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

/** @param recorded heads from a projection or a checkpoint: the chain must reach and contain them. */
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
  if (!isHashOf(receipt.hash, receipt.prev, receipt.text)) return 'hash_mismatch';
  return undefined;
}
