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
  return text.split(/\r?\n\r?\n|\r\r/).map((event) =>
    event
      .split(/\r?\n|\r/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
      .join('\n'),
  );
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
