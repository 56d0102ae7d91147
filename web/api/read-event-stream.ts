// Server-sent events from a fetched body. The browser's own EventSource can send neither a body nor a token.

export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The server shows that it lives every 15 seconds; a connection quieter than this is gone, whatever the browser says. */
const MOST_QUIET_MS = 50_000;

export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  mostQuietMs: number = MOST_QUIET_MS,
): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), mostQuietMs);
      if (done) return;
      // A part of an event is kept until the blank line that ends it; a lone CR at the end may be half of CRLF.
      rest += decoder.decode(value, { stream: true });
      const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const blocks = whole.split(/\r\n\r\n|\n\n|\r\r/);
      const last = blocks.pop() ?? '';
      rest = last + rest.slice(whole.length);
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
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

/** Undefined for comments, which only keep the connection alive. */
function parseEvent(block: string): StreamEvent | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
}
