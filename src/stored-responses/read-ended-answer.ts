// The stored form of a streamed answer: the message of /v1/messages, or the response of /v1/responses.
import { createResponseCollector } from '../model-providers/codecs/collect-response.ts';
import { type Answer, encodeResponse } from '../model-providers/codecs/encode-answer.ts';
import type { NeutralEvent } from '../model-providers/codecs/neutral.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';

export interface MessageCollector {
  /** The message a client would assemble from the stream, once the stream has ended. */
  add(events: readonly NeutralEvent[]): Loose | undefined;
}

/**
 * For a stream of /v1/messages, whose last event does not repeat the content. If passed through, the message has the
 * provider's id.
 */
export function collectMessage(answer: Answer, passThrough: boolean): MessageCollector {
  const collector = createResponseCollector();
  return {
    add(events) {
      for (const event of events) collector.add(event);
      if (events.at(-1)?.type !== 'finish') return undefined;
      const response = collector.get();
      const message = JSON.parse(encodeResponse('messages', response, answer)) as Loose;
      return passThrough ? { ...message, id: response.id } : message;
    },
  };
}

const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

/** The response in the event that ends the stream, if one of these lines has it. */
export function readEndedResponse(lines: string): Loose | undefined {
  for (const line of lines.split('\n')) {
    if (!line.startsWith('data:') || !ENDS.some((end) => line.includes(end))) continue;
    const event = parse(line.slice('data:'.length));
    if (isObject(event) && ENDS.includes(String(event['type'])) && isObject(event['response']))
      return event['response'];
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
