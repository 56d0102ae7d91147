// Server-sent events: from an async source as a Response, or written to a node response. A source goes as fast as the
// client reads; a writer that does not wait cuts off a client that is too far behind. Nothing is sent once the stream's
// seat has ended.
import type { ServerResponse } from 'node:http';
import type { StreamSeat } from './streams/open-streams.ts';

export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** For every event stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** A comment, which readers of events ignore: it keeps the connection alive through proxies. */
export const KEEP_ALIVE = ': \n\n';

/** When the source yields `undefined`, it has nothing new: a comment keeps the connection alive. */
export function eventStream(seat: StreamSeat, source: AsyncGenerator<ServerEvent | undefined>): Response {
  return new Response(seatedBody(seat, toText(source)), { headers: EVENT_STREAM_HEADERS });
}

async function* toText(source: AsyncGenerator<ServerEvent | undefined>): AsyncGenerator<string> {
  yield ': open\n\n';
  for await (const event of source) yield event ? format(event) : KEEP_ALIVE;
}

/** A body that ends with its seat, even if the source has more. */
export function seatedBody({ signal }: StreamSeat, source: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const close = (): void => {
        if (!open) return;
        open = false;
        controller.close();
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
    },
    async pull(controller) {
      const { done, value } = await source.next();
      if (!open) return;
      if (!done) return controller.enqueue(encoder.encode(value));
      open = false;
      controller.close();
    },
    async cancel() {
      open = false;
      await source.return(undefined);
    },
  });
}

export interface EventWriter {
  /** Sends the headers; from now on the stream sends keep-alives. */
  begin(headers: Readonly<Record<string, string>>): void;
  /** Does nothing once the client has disconnected. */
  write(text: string): void;
  /** Resolves once the client has read everything, or is gone. */
  drained(): Promise<void> | undefined;
  end(last?: string): void;
}

export interface EventWriterOptions {
  /** Of the stream's seat: once aborted, nothing more is written. */
  readonly signal?: AbortSignal;
  /** How often a keep-alive is sent; never by default. */
  readonly keepAliveMs?: number;
  /** A client that is further behind is cut off. */
  readonly maxUnreadBytes?: number;
}

export function createEventWriter(
  response: ServerResponse,
  { signal, keepAliveMs, maxUnreadBytes = Number.POSITIVE_INFINITY }: EventWriterOptions,
): EventWriter {
  let signs: NodeJS.Timeout | undefined;
  response.once('close', () => clearInterval(signs));
  const isOver = (): boolean => signal?.aborted === true || response.destroyed || response.writableEnded;
  const write = (text: string): void => {
    if (isOver()) return;
    response.write(text);
    if (response.writableLength > maxUnreadBytes) response.destroy();
  };
  return {
    begin(headers) {
      if (isOver() || response.headersSent) return;
      response.writeHead(200, headers);
      if (keepAliveMs !== undefined) signs = setInterval(() => write(KEEP_ALIVE), keepAliveMs);
    },
    write,
    drained: () => (response.writableNeedDrain ? untilDrained(response) : undefined),
    end(last) {
      clearInterval(signs);
      if (!isOver()) response.end(last);
    },
  };
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** Such a route answers with JSON or events: whichever comes first in `accept`. */
export function wantsEventStream(request: Request): boolean {
  const types = (request.headers.get('accept') ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return types.find((type) => type === 'text/event-stream' || type === 'application/json') === 'text/event-stream';
}

function format({ id, event, data }: ServerEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
