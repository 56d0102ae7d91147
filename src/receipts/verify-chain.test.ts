import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Head, linkReceipt, linkReceipts, type LinkedReceipt } from './receipt.ts';
import { createChainVerifier, type Verdict } from './verify-chain.ts';

function verify(receipts: readonly LinkedReceipt[], recorded: Head[] = [], stream = 's'): Verdict {
  const verifier = createChainVerifier(stream, recorded);
  for (const receipt of receipts) if (!verifier.take(receipt)) break;
  return verifier.finish();
}

const chain = (length: number): LinkedReceipt[] =>
  linkReceipts(
    's',
    undefined,
    Array.from({ length }, (_, i) => `{"n":${i}}`),
  );
const flip = (bytes: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << bit);
  return copy;
};

describe('chain verification', () => {
  it('accepts a whole chain and names its head', () => {
    const receipts = chain(5);
    expect(verify(receipts)).toEqual({ count: 5, head: { index: 4, hash: receipts[4]?.hash } });
    expect(verify([])).toEqual({ count: 0, head: undefined });
  });

  it('detects any single changed bit in any stored field at its index', () => {
    const field = fc.constantFrom('text', 'prev', 'hash', 'index' as const);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        field,
        fc.nat(1000),
        fc.nat(7),
        (length, place, which, byte, bit) => {
          const receipts = chain(length);
          const at = place % length;
          const original = receipts[at];
          if (!original) return;
          const changed = {
            text: () => ({ ...original, text: flip(Buffer.from(original.text), byte, bit).toString('latin1') }),
            prev: () => ({ ...original, prev: flip(original.prev, byte, bit) }),
            hash: () => ({ ...original, hash: flip(original.hash, byte, bit) }),
            index: () => ({ ...original, index: original.index + 1 + byte }),
          }[which]();
          const reason = { text: 'hash_mismatch', prev: 'prev_mismatch', hash: 'hash_mismatch', index: 'index_gap' }[
            which
          ];
          expect(verify(receipts.with(at, changed)).fault).toEqual({ reason, index: at });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('names the expected index when a receipt in the middle is gone', () => {
    expect(verify(chain(5).toSpliced(2, 1)).fault).toEqual({ reason: 'index_gap', index: 2 });
  });

  it('finds a receipt that was replaced together with its hash, at the next link', () => {
    const receipts = chain(4);
    const forged = linkReceipt('s', receipts[0], '{"forged":true}');
    expect(verify(receipts.with(1, forged)).fault).toEqual({ reason: 'prev_mismatch', index: 2 });
  });

  it('finds a chain that belongs to another stream', () => {
    expect(verify(chain(2), [], 'other').fault).toEqual({ reason: 'prev_mismatch', index: 0 });
  });

  it("finds a cut tail by a recorded head and names the head's index", () => {
    const receipts = chain(6);
    const recorded = { index: 5, hash: receipts[5]?.hash ?? Buffer.alloc(32) };
    expect(verify(receipts.slice(0, 4), [recorded]).fault).toEqual({ reason: 'head_mismatch', index: 5 });
    expect(verify([], [recorded]).fault).toEqual({ reason: 'head_mismatch', index: 5 });
    expect(verify(receipts, [recorded]).fault).toBeUndefined();
  });

  it('detects a rewritten chain by a recorded head', () => {
    const recorded = { index: 2, hash: chain(3)[2]?.hash ?? Buffer.alloc(32) };
    const rewritten = linkReceipts('s', undefined, ['a', 'b', 'c', 'd']);
    expect(verify(rewritten, [recorded]).fault).toEqual({ reason: 'head_mismatch', index: 2 });
  });

  it('names a broken link before a missing head', () => {
    const receipts = chain(4);
    const unlinked = { ...linkReceipt('s', receipts[2], '{}'), prev: Buffer.alloc(32) };
    expect(verify(receipts.with(3, unlinked), [{ index: 9, hash: Buffer.alloc(32) }]).fault).toEqual({
      reason: 'prev_mismatch',
      index: 3,
    });
  });
});
