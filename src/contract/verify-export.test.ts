import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MalformedExport } from './read-saved-receipts.ts';
import { verifyExport } from './verify-export.ts';

const STREAM = 'connect/ws_1';

/** Written apart from the code under test, with Node's own hash. */
function exportOf(texts: readonly string[], stream = STREAM): string[] {
  let prev = createHash('sha256').update(`receipt-stream/v1\0${stream}`).digest('hex');
  const lines = [JSON.stringify({ format: 'receipt-stream/v1', stream, genesis: prev })];
  texts.forEach((text, index) => {
    const hash = createHash('sha256').update(Buffer.from(prev, 'hex')).update(text).digest('hex');
    lines.push(JSON.stringify({ index, prev, hash, text }));
    prev = hash;
  });
  return lines;
}

const change = (lines: readonly string[], at: number, fields: object): string[] =>
  lines.map((line, i) => (i === at ? JSON.stringify({ ...JSON.parse(line), ...fields }) : line));
const texts = ['{"a":1}', '{"ü":"π"}', '{"c":3}', '{"d":4}'];
const whole = exportOf(texts);
const hashAt = (index: number): string => (JSON.parse(whole[index + 1] ?? '') as { hash: string }).hash;

describe('an export', () => {
  it('verifies when nothing was changed', async () => {
    expect(await verifyExport(whole)).toEqual({
      stream: STREAM,
      ok: true,
      count: 4,
      head: { index: 3, hash: hashAt(3) },
    });
    expect(await verifyExport([...whole, ''])).toMatchObject({ ok: true });
  });

  it('of a stream without receipts verifies', async () => {
    expect(await verifyExport(exportOf([]))).toEqual({ stream: STREAM, ok: true, count: 0, head: null });
  });

  it.each([
    ['a changed text', change(whole, 3, { text: '{"c":4}' }), 'hash_mismatch', 2],
    ['a changed hash', change(whole, 2, { hash: 'f'.repeat(64) }), 'hash_mismatch', 1],
    ['a hash that is none', change(whole, 2, { hash: 'XYZ' }), 'hash_mismatch', 1],
    ['a hash in upper case', change(whole, 3, { hash: hashAt(2).toUpperCase() }), 'hash_mismatch', 2],
    ['an empty link', change(whole, 1, { prev: '' }), 'prev_mismatch', 0],
    ['a changed link', change(whole, 2, { prev: '0'.repeat(64) }), 'prev_mismatch', 1],
    ['another genesis', change(whole, 0, { genesis: '0'.repeat(64) }), 'prev_mismatch', 0],
    ['a genesis that is none', change(whole, 0, { genesis: null }), 'prev_mismatch', 0],
    ['a space in a text, hashed with it', exportOf(['{"a":1}', '{"b": 1}']), 'hash_mismatch', 1],
    ['names out of order, hashed so', exportOf(['{"b":1,"a":2}']), 'hash_mismatch', 0],
    ['a name that is there twice, hashed so', exportOf(['{"a":1,"a":1}']), 'hash_mismatch', 0],
    ['a text that is no JSON, hashed so', exportOf(['hello']), 'hash_mismatch', 0],
    ['a removed line', whole.filter((_, i) => i !== 2), 'index_gap', 1],
    ['another stream name', change(whole, 0, { stream: 'connect/ws_2' }), 'prev_mismatch', 0],
    ['two lines that changed places', [whole[0], whole[2], whole[1], whole[3]].map(String), 'index_gap', 0],
  ])('with %s names the fault and its index', async (_, lines, reason, index) => {
    expect(await verifyExport(lines)).toMatchObject({ ok: false, reason, index, count: index });
  });

  it('whose tail was cut verifies alone, and not against a head that was noted', async () => {
    const cut = whole.slice(0, -1);
    expect(await verifyExport(cut)).toMatchObject({ ok: true, count: 3 });
    expect(await verifyExport(cut, { index: 3, hash: hashAt(3) })).toMatchObject({
      ok: false,
      reason: 'head_mismatch',
      index: 3,
    });
    expect(await verifyExport(whole, { index: 1, hash: hashAt(1) })).toMatchObject({ ok: true });
    expect(await verifyExport(whole, { index: 1, hash: hashAt(2) })).toMatchObject({
      ok: false,
      reason: 'head_mismatch',
      index: 1,
    });
  });

  it.each([
    ['nothing', [], 1],
    ['something else', ['{"streams":[]}'], 1],
    ['a refusal that was saved', ['{"ok":false,"error":"not_found"}'], 1],
    ['an answer without receipts', ['{"receipts":[],"head":null}'], 1],
    ['receipts without the name of their stream', whole.slice(1), 1],
    ['no JSON', ['hello'], 1],
    ['a line that is no receipt', [...whole.slice(0, 2), '{"index":"1"}'], 3],
  ])('that is %s is refused with the line', async (_, lines, line) => {
    const refusal = await verifyExport(lines).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MalformedExport);
    expect(refusal).toMatchObject({ line });
  });
});

describe('a saved answer', () => {
  const drafts = [0, 1, 2, 3].map((n) => ({
    kind: 'tool.called',
    actor: 'user:usr_1',
    at: `2026-01-01T00:00:0${n}.000Z`,
    body: { ü: 'π', n, inner: { z: 1, a: [2.5, null] } },
  }));
  const receipts = linked(drafts);
  const head = { index: 3, hash: receipts[3]?.hash };

  /** As the service shows them: the text is what RFC 8785 makes of the four fields, here by sorting the names by hand. */
  function linked(all: typeof drafts): { stream: string; index: number; prev: string; hash: string; body: unknown }[] {
    let prev = createHash('sha256').update(`receipt-stream/v1\0${STREAM}`).digest('hex');
    return all.map((draft, index) => {
      const { actor, at, body, kind } = draft;
      const text = JSON.stringify({
        actor,
        at,
        body: { inner: { a: body.inner.a, z: body.inner.z }, n: body.n, ü: body.ü },
        kind,
      });
      const receipt = {
        ...draft,
        stream: STREAM,
        index,
        prev,
        hash: createHash('sha256').update(Buffer.from(prev, 'hex')).update(text).digest('hex'),
      };
      prev = receipt.hash;
      return receipt;
    });
  }

  it.each([
    ['on one line', [JSON.stringify({ receipts, head })]],
    ['on many lines', JSON.stringify({ receipts, head }, null, 2).split('\n')],
    ['of the command line', JSON.stringify({ stream: STREAM, receipts, head }, null, 2).split('\n')],
    ['without a head', [JSON.stringify({ receipts })]],
    ['that is a list', [JSON.stringify(receipts)]],
    ['as JSON lines', receipts.map((receipt) => JSON.stringify(receipt))],
    ['behind a byte order mark', [`\uFEFF${JSON.stringify({ receipts, head })}`]],
  ])('%s verifies', async (_, lines) => {
    expect(await verifyExport(lines)).toEqual({ stream: STREAM, ok: true, count: 4, head });
  });

  const edit = (at: number, fields: object) =>
    receipts.map((receipt, i) => (i === at ? { ...receipt, ...fields } : receipt));
  it.each([
    ['a changed body', edit(2, { body: {} }), 'hash_mismatch', 2],
    ['a changed actor', edit(1, { actor: 'user:other' }), 'hash_mismatch', 1],
    ['a changed link', edit(1, { prev: '0'.repeat(64) }), 'prev_mismatch', 1],
    ['a receipt taken out', receipts.filter((_, i) => i !== 1), 'index_gap', 1],
    ['its tail cut off', receipts.slice(0, 2), 'head_mismatch', 3],
  ])('with %s names the fault and its index', async (_, changed, reason, index) => {
    expect(await verifyExport([JSON.stringify({ receipts: changed, head })])).toMatchObject({
      stream: STREAM,
      ok: false,
      reason,
      index,
    });
  });

  it('is refused if it mixes streams or contains something other than receipts', async () => {
    for (const wrong of [edit(2, { stream: 'connect/ws_2' }), edit(1, { index: 'x' }), [...receipts, 7]])
      await expect(verifyExport([JSON.stringify({ receipts: wrong, head })])).rejects.toBeInstanceOf(MalformedExport);
  });
});
