import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../test/support/models/neutral-answers.ts';
import { createSseReader } from './read-sse.ts';

function read(bytes: Buffer, lengths: readonly number[] = [bytes.length], maxBytes?: number): string[] {
  const seen: string[] = [];
  const reader = createSseReader(
    { event: (data, name) => seen.push(`${name}|${data}`), overflow: () => seen.push('overflow') },
    maxBytes,
  );
  for (const piece of chunk(bytes, lengths)) reader.feed(piece);
  reader.end();
  return seen;
}

describe('reading server-sent events', () => {
  test('reads names, joins data lines, skips comments and other fields', () => {
    expect(
      read(Buffer.from(': hello\nevent: ping\nid: 4\nretry: 5\ndata: a\ndata:b\n\ndata\n\nevent: lost\n\ndata: c\n\n')),
    ).toEqual(['ping|a\nb', '|c']);
  });

  test('takes CRLF, a byte order mark, and an event that lacks its blank line', () => {
    expect(read(Buffer.from('\uFEFFdata: 1\r\n\r\ndata: 2\r\n\r\ndata: 3'))).toEqual(['|1', '|2', '|3']);
  });

  test('produces the same events for any chunking', () => {
    const stream = Buffer.from(
      'event: x\r\ndata: {"t":"Grüße 世界 🌍"}\r\n\r\n: c\ndata: ä\ndata: ö\n\ndata: [DONE]\n\n',
    );
    const whole = read(stream);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), (lengths) => {
        expect(read(stream, lengths)).toEqual(whole);
      }),
    );
  });

  test('reports a line that is too long once, and nothing after it', () => {
    const stream = Buffer.from(`data: ok\n\ndata: ${'x'.repeat(200)}\n\ndata: never\n\n`);
    for (const lengths of [[1], [50], [1000]]) expect(read(stream, lengths, 100)).toEqual(['|ok', 'overflow']);
  });

  test('reports an event whose lines together are too long', () => {
    expect(read(Buffer.from(`${`data: ${'x'.repeat(40)}\n`.repeat(5)}\n`), [7], 100)).toEqual(['overflow']);
  });

  test('keeps a line that arrives byte by byte without copying it each time', () => {
    const line = Buffer.from(`data: ${'x'.repeat(500_000)}\n\n`);
    expect(read(line, [1])).toEqual([`|${'x'.repeat(500_000)}`]);
  });
});
