// Server-sent events from an async source, as fast as the client reads and no faster. Nothing leaves once the seat of
// the stream is over.
import type { StreamSeat } from './streams/open-streams.ts';

export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** For every answer that is one. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** A source that yields `undefined` has nothing new: a comment keeps the connection alive through proxies. */
export function eventStream(seat: StreamSeat, source: AsyncGenerator<ServerEvent | undefined>): Response {
  return new Response(seatedBody(seat, toText(source)), { headers: EVENT_STREAM_HEADERS });
}

async function* toText(source: AsyncGenerator<ServerEvent | undefined>): AsyncGenerator<string> {
  yield ': open\n\n';
  for await (const event of source) yield event ? format(event) : ': \n\n';
}

/** A body that ends with its seat, whatever the source still has. */
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

/** Of the two that such an address answers with, the one that comes first; a client that takes either is not kept waiting. */
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
