import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { genesisHash, linkReceipts, receiptText } from './receipt.ts';

const sha256 = (...parts: (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

describe('a receipt', () => {
  it('has as its text the canonical JSON of actor, at, body and kind', () => {
    const text = receiptText(
      { kind: 'tool.called', actor: 'user:u1', body: { z: 1, a: ['é', 1e21, null], '€': '\u2028"' } },
      new Date('2026-01-02T03:04:05.678Z'),
    );
    expect(text).toBe(
      '{"actor":"user:u1","at":"2026-01-02T03:04:05.678Z","body":{"a":["é",1e+21,null],"z":1,"€":"\u2028\\""},"kind":"tool.called"}',
    );
  });

  it('refuses a body that JSON cannot represent', () => {
    expect(() => receiptText({ kind: 'k', actor: 'a', body: { n: Number.NaN } }, new Date())).toThrow(/NaN/);
  });

  it('starts a stream from the hash of its name', () => {
    expect(genesisHash('connect/ws_1').toString('hex')).toBe(sha256('receipt-stream/v1', Buffer.of(0), 'connect/ws_1'));
  });

  it('is linked to the previous one by the hash over prev and text', () => {
    const [first, second] = linkReceipts('s', undefined, ['one', 'two']);
    expect(first).toMatchObject({ index: 0, prev: genesisHash('s') });
    expect(first?.hash.toString('hex')).toBe(sha256(genesisHash('s'), 'one'));
    expect(second).toMatchObject({ index: 1, prev: first?.hash });
    const [third] = linkReceipts('s', second, ['three']);
    expect(third).toMatchObject({ index: 2, prev: second?.hash });
  });
});
