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

it('reads events however they are cut, and skips comments', async () => {
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

it('reads lines however they are cut', async () => {
  for (const size of [1, 3, 100])
    expect(await all(readLines(pieces('a\n\nbc\nd', size)))).toEqual(['a', '', 'bc', 'd']);
});
