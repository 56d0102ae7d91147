// RFC 6962 Merkle tree hashing: leaves are hashed after a zero byte, inner nodes after a one byte, and the left subtree of
// n leaves holds the largest power of two below n.
import { createHash } from 'node:crypto';

const EMPTY = createHash('sha256').digest();

export function leafHash(data: string | Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(data).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

/** Computes the root from leaf hashes added one by one, in logarithmic memory. */
export function createMerkleRoot(): { add(leaf: Buffer): void; root(): Buffer } {
  const peaks: (Buffer | undefined)[] = [];
  return {
    add(leaf) {
      let carry = leaf;
      let level = 0;
      for (let peak = peaks[0]; peak; peak = peaks[level]) {
        carry = nodeHash(peak, carry);
        peaks[level++] = undefined;
      }
      peaks[level] = carry;
    },
    root() {
      let root: Buffer | undefined;
      for (const peak of peaks) if (peak) root = root ? nodeHash(peak, root) : peak;
      return root ?? EMPTY;
    },
  };
}

/** The audit path of one leaf: the sibling hashes from the leaf up to the root. */
export function inclusionProof(leaves: readonly Buffer[], position: number): Buffer[] {
  const proof: Buffer[] = [];
  let level = [...leaves];
  for (let at = position; level.length > 1; at >>= 1) {
    const sibling = level[at ^ 1];
    if (sibling) proof.push(sibling);
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left) next.push(right ? nodeHash(left, right) : left);
    }
    level = next;
  }
  return proof;
}

/** The root that follows from a proof: what a third party computes and compares. */
export function rootOfProof(leaf: Buffer, position: number, size: number, proof: readonly Buffer[]): Buffer {
  let hash = leaf;
  let used = 0;
  for (let at = position, last = size - 1; last > 0; at >>= 1, last >>= 1) {
    if (at % 2 === 0 && at === last) continue;
    const sibling = proof[used++];
    if (!sibling) throw new Error('the proof is too short');
    hash = at % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
  }
  if (used !== proof.length) throw new Error('the proof is too long');
  return hash;
}
