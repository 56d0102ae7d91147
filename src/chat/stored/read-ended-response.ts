import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';

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
