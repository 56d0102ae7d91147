import { describeFailure, failureOf } from '../decode-failure.ts';
import type { NeutralEvent } from '../neutral.ts';
import { isAbsent, isObject, textOf, type Loose } from '../read-fields.ts';
import { findChatUsage } from '../usage.ts';
import { fromChatFinish } from './finish-reasons.ts';

/** A whole Chat Completions answer as the events that its stream would have produced. */
export function decodeChatResponse(body: unknown): NeutralEvent[] {
  const choice = isObject(body) && Array.isArray(body['choices']) ? (body['choices'] as unknown[])[0] : undefined;
  if (!isObject(body) || !isObject(choice) || !isObject(choice['message'])) {
    const failure =
      isObject(body) && !isAbsent(body['error'])
        ? describeFailure(body['error'])
        : failureOf('other', 'The provider sent a malformed answer.');
    return [{ type: 'error', ...failure }];
  }
  const id = textOf(body['id']);
  const events: NeutralEvent[] = [{ type: 'start', id, model: textOf(body['model']) }];
  const { message } = choice as { message: Loose };
  const reasoning = textOf(message['reasoning_content'] ?? message['reasoning']);
  if (reasoning !== '') events.push({ type: 'reasoning', text: reasoning });
  if (textOf(message['content']) !== '') events.push({ type: 'text', text: textOf(message['content']) });
  if (textOf(message['refusal']) !== '') events.push({ type: 'refusal', text: textOf(message['refusal']) });
  const calls = pushCalls(message['tool_calls'], id, events);
  const usage = findChatUsage(body['usage']);
  if (usage !== undefined) events.push({ type: 'usage', usage, final: true });
  events.push({ type: 'finish', reason: fromChatFinish(textOf(choice['finish_reason']), calls) });
  return events;
}

function pushCalls(calls: unknown, id: string, events: NeutralEvent[]): number {
  let index = 0;
  for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) {
    const fields = isObject(call) && isObject(call['function']) ? call['function'] : undefined;
    if (!isObject(call) || fields === undefined || textOf(fields['name']) === '') continue;
    events.push({
      type: 'tool-start',
      index,
      id: textOf(call['id']) || `call_${id}_${index}`,
      name: textOf(fields['name']),
    });
    events.push({ type: 'tool-arguments', index, text: textOf(fields['arguments']) || '{}' });
    events.push({ type: 'tool-end', index });
    index += 1;
  }
  return index;
}
