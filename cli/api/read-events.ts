import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

/** The longest event, in characters. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Yields the events of a text/event-stream as they arrive. Comments are skipped; an event that is too long throws. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  let events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: MOST_CHARACTERS,
  });
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    parser.feed(chunk);
    const whole = events;
    events = [];
    yield* whole;
  }
}
