import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, seal, sealLarge, unseal, unsealLarge } from './seal.ts';

const key = randomBytes(32);

describe('a sealed secret', () => {
  it('opens with the same key and row only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string(), { maxLength: 4 }), (secret, row) => {
        const sealed = seal(key, secret, row);
        expect(unseal(key, sealed, row)).toBe(secret);
        expect(unseal(randomBytes(32), sealed, row)).toBeUndefined();
        expect(unseal(key, sealed, [...row, 'x'])).toBeUndefined();
      }),
    );
  });

  it('of megabytes is the same, while the event loop turns', async () => {
    const parts = [Buffer.from('ä'), Buffer.alloc(3_000_001, 'b'), Buffer.alloc(0), Buffer.from('c')];
    let turns = 0;
    let ticking = setImmediate(function tick() {
      turns++;
      ticking = setImmediate(tick);
    });
    const sealed = await sealLarge(key, parts, ['row']);
    const opened = await unsealLarge(key, sealed, ['row']);
    clearImmediate(ticking);
    expect(opened?.equals(Buffer.concat(parts))).toBe(true);
    expect(unseal(key, sealed, ['row']) === Buffer.concat(parts).toString()).toBe(true);
    expect(await unsealLarge(key, sealed, ['other'])).toBeUndefined();
    expect(turns).toBeGreaterThan(0);
  });

  it('does not confuse rows whose parts run together', () => {
    expect(unseal(key, seal(key, 's', ['ab', 'c']), ['a', 'bc'])).toBeUndefined();
  });

  it('does not open once any bit of it is changed', () => {
    const sealed = seal(key, 'sk-something', ['row']);
    for (const field of ['ciphertext', 'iv', 'authTag'] as const) {
      const changed = Buffer.from(sealed[field]);
      changed[0] = (changed[0] ?? 0) ^ 1;
      expect(unseal(key, { ...sealed, [field]: changed }, ['row'])).toBeUndefined();
    }
  });

  it('uses 12 fresh random bytes each time and a tag of 16', () => {
    const [one, two] = [seal(key, 's', []), seal(key, 's', [])];
    expect([one.iv.length, one.authTag.length]).toEqual([12, 16]);
    expect(one.iv).not.toEqual(two.iv);
  });

  it('does not open with a shortened tag', () => {
    const sealed = seal(key, 's', []);
    expect(unseal(key, { ...sealed, authTag: sealed.authTag.subarray(0, 4) }, [])).toBeUndefined();
  });
});

it('a fingerprint is the first 12 hexadecimal characters of the SHA-256', () => {
  expect(fingerprint('sk-abc')).toBe(createHash('sha256').update('sk-abc').digest('hex').slice(0, 12));
});
