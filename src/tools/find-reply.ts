import { createParser } from 'eventsource-parser';

/** The JSON-RPC reply with this id, in a JSON body or among the events of a stream. Undefined when there is none. */
export function findReply(text: string, contentType: string, id: number): Record<string, unknown> | undefined {
  const candidates = /^text\/event-stream\b/i.test(contentType) ? eventData(text) : [text];
  for (const candidate of candidates) {
    const message = parseObject(candidate);
    if (message && message['id'] === id && ('result' in message || 'error' in message)) return message;
  }
  return undefined;
}

function eventData(text: string): string[] {
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  // An event that lacks its closing blank line is an event too: nothing follows.
  parser.feed(`${text}\n\n`);
  return found;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
