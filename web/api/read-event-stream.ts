// Server-sent events from a fetch body, because EventSource can send neither a body nor a token.
import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The server sends a heartbeat every 15 seconds; a connection that is silent for this long is lost. */
const MOST_QUIET_MS = 50_000;
/** The maximum size of an unfinished event. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  mostQuietMs: number = MOST_QUIET_MS,
): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => events.push({ id, data }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: MOST_CHARACTERS,
  });
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), mostQuietMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      const whole = events;
      events = [];
      yield* whole;
    }
  } finally {
    // Stopping early closes the connection.
    await reader.cancel().catch(() => {});
  }
}

function within<T>(reading: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException('the stream fell silent', 'TimeoutError')), ms);
    void reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
