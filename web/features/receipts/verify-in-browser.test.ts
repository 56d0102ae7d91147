import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyInBrowser } from './verify-in-browser.ts';

const STREAM = 'connect/ws_1';
const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function exported(count: number, change: (text: string, index: number) => string = (text) => text): string {
  let prev = sha256(`receipt-stream/v1\0${STREAM}`);
  let text = `${JSON.stringify({ format: 'receipt-stream/v1', stream: STREAM, genesis: prev.toString('hex') })}\n`;
  for (let index = 0; index < count; index++) {
    const body = `{"actor":"user:ü","at":"2026-01-01T00:00:00.000Z","body":{"n":${index}},"kind":"tool.called"}`;
    const hash = sha256(prev, body);
    text += `${JSON.stringify({ index, prev: prev.toString('hex'), hash: hash.toString('hex'), text: change(body, index) })}\n`;
    prev = hash;
  }
  return text;
}

/** In pieces that cut through lines and characters. */
function download(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    }),
  );
}

it('computes an intact chain, whatever pieces it arrives in', async () => {
  expect(await verifyInBrowser(download(exported(5)), undefined)).toMatchObject({ ok: true, count: 5 });
});

it('finds a receipt that was changed', async () => {
  const changed = exported(5, (text, index) => (index === 3 ? text.replace('called', 'failed') : text));
  expect(await verifyInBrowser(download(changed), undefined)).toMatchObject({
    ok: false,
    reason: 'hash_mismatch',
    index: 3,
  });
});

it('finds that the download ends before the head that the page shows', async () => {
  expect(await verifyInBrowser(download(exported(2)), { index: 4, hash: 'ab' })).toMatchObject({
    ok: false,
    reason: 'head_mismatch',
    index: 4,
  });
});

it('says that a download which is not an export cannot be read', async () => {
  await expect(verifyInBrowser(download('<html>'), undefined)).rejects.toThrow(/^The downloaded stream cannot be read/);
});
