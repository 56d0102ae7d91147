import { describeFailure, failureOf } from '../decode-failure.ts';
import type { NeutralEvent } from '../neutral.ts';
import { isAbsent, isObject, textOf, type Loose } from '../read-fields.ts';
import { finishResponse } from './finish-response.ts';

/** A whole Responses answer as the events that its stream would have produced. */
export function decodeResponsesResponse(body: unknown): NeutralEvent[] {
  if (!isObject(body) || !Array.isArray(body['output'])) {
    const failure =
      isObject(body) && !isAbsent(body['error'])
        ? describeFailure(body['error'])
        : failureOf('other', 'The provider sent a malformed answer.');
    return [{ type: 'error', ...failure }];
  }
  const events: NeutralEvent[] = [{ type: 'start', id: textOf(body['id']), model: textOf(body['model']) }];
  let calls = 0;
  for (const item of body['output'] as unknown[]) {
    if (!isObject(item)) continue;
    if (item['type'] === 'message') pushMessage(item, events);
    else if (item['type'] === 'reasoning') pushReasoning(item, events);
    else if (item['type'] === 'function_call') {
      events.push({ type: 'tool-start', index: calls, id: textOf(item['call_id']), name: textOf(item['name']) });
      events.push({ type: 'tool-arguments', index: calls, text: textOf(item['arguments']) || '{}' });
      events.push({ type: 'tool-end', index: calls });
      calls += 1;
    }
  }
  return [...events, ...finishResponse(body, calls)];
}

function pushMessage(item: Loose, events: NeutralEvent[]): void {
  for (const part of listOf(item['content'])) {
    if (part['type'] === 'output_text' && textOf(part['text']) !== '')
      events.push({ type: 'text', text: textOf(part['text']) });
    else if (part['type'] === 'refusal' && textOf(part['refusal']) !== '')
      events.push({ type: 'refusal', text: textOf(part['refusal']) });
  }
}

function pushReasoning(item: Loose, events: NeutralEvent[]): void {
  const texts = [...listOf(item['summary']), ...listOf(item['content'])]
    .map((part) => textOf(part['text']))
    .filter((text) => text !== '');
  if (texts.length > 0) events.push({ type: 'reasoning', text: texts.join('\n\n') });
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}
