export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** The events of a text/event-stream, as they come. Comments are skipped. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  let held = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    held = (held + chunk).replaceAll('\r\n', '\n');
    for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
      const event = parse(held.slice(0, end));
      held = held.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields: { id?: string; event?: string } = {};
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(id|event|data):? ?(.*)$/.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'id' || name === 'event') fields[name] = value;
  }
  return data.length === 0 ? undefined : { ...fields, data: data.join('\n') };
}
