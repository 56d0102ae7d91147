import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMerkleRoot, inclusionProof, leafHash, rootOfProof } from './merkle.ts';

// The eight-leaf example that the Certificate Transparency implementations share.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

function rootOf(leaves: readonly Buffer[]): Buffer {
  const merkle = createMerkleRoot();
  for (const leaf of leaves) merkle.add(leaf);
  return merkle.root();
}

describe('the Merkle root', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))('over %i leaves is that of RFC 6962', (size, root) => {
    expect(rootOf(LEAVES.slice(0, size).map((hex) => leafHash(Buffer.from(hex, 'hex')))).toString('hex')).toBe(root);
  });

  it('follows from every leaf and its proof, and from no other leaf or position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = Array.from({ length: size }, (_, i) => leafHash(`leaf ${i}`));
        const at = a % size;
        const proof = inclusionProof(leaves, at);
        const leaf = leaves[at] ?? Buffer.alloc(0);
        expect(rootOfProof(leaf, at, size, proof)).toEqual(rootOf(leaves));
        expect(rootOfProof(leafHash(`other ${b}`), at, size, proof)).not.toEqual(rootOf(leaves));
      }),
    );
  });

  it('refuses a proof that is too short or too long', () => {
    const leaves = ['a', 'b', 'c'].map((text) => leafHash(text));
    const proof = inclusionProof(leaves, 0);
    expect(() => rootOfProof(leafHash('a'), 0, 3, proof.slice(1))).toThrow('too short');
    expect(() => rootOfProof(leafHash('a'), 0, 3, [...proof, leafHash('x')])).toThrow('too long');
  });
});
