import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEventStream, type StreamEvent } from './read-event-stream.ts';

function bodyOf(text: string, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const pieces = [...ends, bytes.length].map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEventStream(body)) events.push(event);
  return events;
}

describe('an event stream', () => {
  it('is read event by event, without its comments', async () => {
    expect(
      await readAll(bodyOf(': open\n\nid: 0\ndata: {"a":1}\n\n: \n\nid: 1\nevent: receipt\ndata: x\ndata: y\n\n')),
    ).toEqual([
      { id: '0', data: '{"a":1}' },
      { id: '1', data: 'x\ny' },
    ]);
  });

  it('reads the same however it is chunked, even inside a character or a line ending', async () => {
    const events = [
      { id: '0', data: 'ü€😀' },
      { id: '1', data: '' },
      { id: '2', data: 'last' },
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('\n', '\r\n'), fc.array(fc.nat(200), { maxLength: 20 }), async (eol, cuts) => {
        const text = events.map(({ id, data }) => `id: ${id}${eol}data: ${data}${eol}${eol}`).join('');
        expect(await readAll(bodyOf(text, cuts))).toEqual(events);
      }),
    );
  });

  it('drops an unfinished event', async () => {
    expect(await readAll(bodyOf('data: whole\n\ndata: half'))).toEqual([{ id: undefined, data: 'whole' }]);
  });

  it('ends when it falls silent', async () => {
    const silent = new ReadableStream<Uint8Array>({});
    await expect(readEventStream(silent, 1).next()).rejects.toThrow('the stream fell silent');
  });

  it('closes the connection when reading stops early', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const { data } of readEventStream(body)) {
      expect(data).toBe('again');
      break;
    }
    expect(cancelled).toBe(true);
  });
});
