// Server-sent events from an async source, as fast as the client reads and no faster.

export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** A source that yields `undefined` has nothing new: a comment keeps the connection alive through proxies. */
export function eventStream(source: AsyncGenerator<ServerEvent | undefined>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(': open\n\n'));
    },
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value ? format(value) : ': \n\n'));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } });
}

/** Of the two that such an address answers with, the one that comes first; a client that takes either is not kept waiting. */
export function wantsEventStream(request: Request): boolean {
  const types = (request.headers.get('accept') ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  return types.find((type) => type === 'text/event-stream' || type === 'application/json') === 'text/event-stream';
}

function format({ id, event, data }: ServerEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
