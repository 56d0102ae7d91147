// Server-sent events from a fetched body. The browser's own EventSource can send neither a body nor a token.
import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The server shows that it lives every 15 seconds; a connection quieter than this is gone, whatever the browser says. */
const MOST_QUIET_MS = 50_000;
/** Of an event that has not ended. */
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
    // Whoever stops reading early lets go of the connection too.
    await reader.cancel().catch(() => {});
  }
}

function within<T>(reading: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException('the stream fell silent', 'TimeoutError')), ms);
    void reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
