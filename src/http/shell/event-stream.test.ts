import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEventWriter, EVENT_STREAM_HEADERS, KEEP_ALIVE, wantsEventStream } from './event-stream.ts';

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-stream, application/json', true],
  ['application/json, text/event-stream', false],
  ['application/json', false],
  ['*/*', false],
  ['', false],
])('accept: %s', (accept, wanted) => {
  expect(wantsEventStream(new Request('http://localhost/', { headers: { accept } }))).toBe(wanted);
});

describe('a writer of events', () => {
  let server: Server;
  afterEach(() => void server.close());

  /** The text of an answer that is written like this. */
  async function read(write: (response: ServerResponse) => void): Promise<string> {
    server = createServer((_request, response) => write(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    return response.text().catch(() => 'cut off');
  }

  it('shows that it is alive until it ends', async () => {
    const text = await read((response) => {
      const events = createEventWriter(response, { keepAliveMs: 1 });
      events.begin(EVENT_STREAM_HEADERS);
      events.write('data: 1\n\n');
      const { write } = response;
      response.write = ((text: string) => {
        if (text === KEEP_ALIVE) setImmediate(() => events.end('data: 2\n\n'));
        return write.call(response, text, 'utf8');
      }) as typeof write;
    });
    expect(text).toMatch(/^data: 1\n\n(?:: \n\n)+data: 2\n\n$/);
  });

  it('writes nothing once its seat has ended', async () => {
    const seat = new AbortController();
    const text = await read((response) => {
      const events = createEventWriter(response, { signal: seat.signal });
      events.begin(EVENT_STREAM_HEADERS);
      events.write('data: 1\n\n');
      seat.abort();
      events.write('data: 2\n\n');
      response.end();
    });
    expect(text).toBe('data: 1\n\n');
  });

  it('cuts off a client that is too far behind', async () => {
    const text = await read((response) => {
      const events = createEventWriter(response, { maxUnreadBytes: 1_000 });
      events.begin(EVENT_STREAM_HEADERS);
      response.flushHeaders();
      setImmediate(() => events.write('a'.repeat(32 * 1024 * 1024)));
    });
    expect(text).toBe('cut off');
  });
});
