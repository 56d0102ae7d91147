import { expect, it } from 'vitest';
import { readEvents } from './read-events.ts';
import { readLines } from './read-lines.ts';

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

const pieces = async function* (text: string, size: number): AsyncGenerator<string> {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size);
};

it('reads events wherever the chunks are cut, and skips comments', async () => {
  const text = ': open\n\nid: 4\nevent: receipt\ndata: {"a":1}\n\ndata: one\ndata: two\n\n:\n\ndata: π\n\n';
  for (const size of [1, 2, 7, 500]) {
    const body = ReadableStream.from(pieces(text, size)).pipeThrough(new TextEncoderStream());
    expect(await all(readEvents(new Response(body)))).toEqual([
      { id: '4', event: 'receipt', data: '{"a":1}' },
      { data: 'one\ntwo' },
      { data: 'π' },
    ]);
  }
});

it('reads events whose lines end in a lone CR, as the format allows', async () => {
  const body = ReadableStream.from(pieces('id: 1\rdata: a\r\rdata: b\r\rdata: c\r\n\r\n', 3));
  expect(
    (await all(readEvents(new Response(body.pipeThrough(new TextEncoderStream()))))).map(({ data }) => data),
  ).toEqual(['a', 'b', 'c']);
});

it('throws on an event that does not end', async () => {
  const endless = async function* (): AsyncGenerator<string> {
    yield 'data: ';
    for (;;) yield 'x'.repeat(1024 * 1024);
  };
  const body = ReadableStream.from(endless()).pipeThrough(new TextEncoderStream());
  await expect(all(readEvents(new Response(body)))).rejects.toThrow('max buffer size');
});

it('reads lines wherever the chunks are cut', async () => {
  for (const size of [1, 3, 100])
    expect(await all(readLines(pieces('a\n\nbc\nd', size)))).toEqual(['a', '', 'bc', 'd']);
});
