// The frame shared by the three stream decoders: bytes to events, events to JSON, JSON to the interpreter of one
// protocol. Whatever a provider sends, the result is a sequence of neutral events that ends exactly once, with `finish`
// or `error`.
import { failureOf } from './decode-failure.ts';
import type { NeutralEvent, StreamDecoder } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';
import { createSseReader, MAX_EVENT_BYTES } from './read-sse.ts';

/** No answer is larger than this; it limits what any encoder after the decoder can hold. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

export interface Interpreter {
  message(message: Loose): void;
  /** The provider has sent everything, or its bytes ended: emit `finish`, or nothing if the answer was cut short. */
  done(): void;
}

export interface StreamLimits {
  readonly maxEventBytes?: number;
  readonly maxStreamBytes?: number;
}

export function createStreamDecoder(
  interpret: (emit: (event: NeutralEvent) => void) => Interpreter,
  limits: StreamLimits = {},
): StreamDecoder {
  const { maxEventBytes = MAX_EVENT_BYTES, maxStreamBytes = MAX_STREAM_BYTES } = limits;
  let events: NeutralEvent[] = [];
  let closed = false;
  let total = 0;

  function emit(event: NeutralEvent): void {
    if (closed) return;
    events.push(event);
    closed = event.type === 'finish' || event.type === 'error';
  }

  const interpreter = interpret(emit);
  const reader = createSseReader(
    {
      event(data) {
        if (closed || data === '') return;
        if (data === '[DONE]') return finish();
        const message = parse(data);
        if (message === undefined)
          emit({ type: 'error', ...failureOf('other', 'The provider sent a malformed stream.') });
        else interpreter.message(message);
      },
      overflow: () => emit({ type: 'error', ...failureOf('other', 'The provider sent an event that is too large.') }),
    },
    maxEventBytes,
  );

  function finish(): void {
    interpreter.done();
    emit({ type: 'error', ...failureOf('other', 'The provider ended the answer early.') });
  }

  function take(): NeutralEvent[] {
    const taken = events;
    events = [];
    return taken;
  }

  return {
    feed(bytes) {
      if (closed) return [];
      const room = maxStreamBytes - total;
      total += bytes.length;
      // Events within the limit count, however the bytes were split.
      reader.feed(bytes.length <= room ? bytes : bytes.subarray(0, room));
      if (total > maxStreamBytes)
        emit({ type: 'error', ...failureOf('other', 'The provider sent an answer that is too long.') });
      return take();
    },
    end() {
      if (closed) return [];
      reader.end();
      finish();
      return take();
    },
  };
}

function parse(data: string): Loose | undefined {
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
