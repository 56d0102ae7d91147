import { describeFailure, failureOf } from '../decode-failure.ts';
import type { NeutralEvent } from '../neutral.ts';
import { isAbsent, isObject, textOf, type Loose } from '../read-fields.ts';
import { findMessagesUsage } from '../usage.ts';
import { fromStopReason } from './stop-reasons.ts';

/** A whole message as the events that its stream would have produced. */
export function decodeMessagesResponse(body: unknown): NeutralEvent[] {
  if (!isObject(body) || !Array.isArray(body['content'])) {
    const failure =
      isObject(body) && !isAbsent(body['error'])
        ? describeFailure(body['error'])
        : failureOf('other', 'The provider sent a malformed answer.');
    return [{ type: 'error', ...failure }];
  }
  const events: NeutralEvent[] = [{ type: 'start', id: textOf(body['id']), model: textOf(body['model']) }];
  let calls = 0;
  for (const block of body['content'] as unknown[]) {
    if (!isObject(block)) continue;
    if (block['type'] === 'tool_use') {
      pushCall(block, calls, events);
      calls += 1;
    } else pushBlock(block, events);
  }
  const usage = findMessagesUsage(body['usage']);
  if (usage !== undefined) events.push({ type: 'usage', usage, final: true });
  events.push({
    type: 'finish',
    reason: fromStopReason(textOf(body['stop_reason'])),
    stopSequence: typeof body['stop_sequence'] === 'string' ? body['stop_sequence'] : undefined,
  });
  return events;
}

function pushBlock(block: Loose, events: NeutralEvent[]): void {
  if (block['type'] === 'text' && textOf(block['text']) !== '')
    events.push({ type: 'text', text: textOf(block['text']) });
  else if (block['type'] === 'redacted_thinking')
    events.push({ type: 'reasoning-redacted', data: textOf(block['data']) });
  else if (block['type'] === 'thinking') {
    if (textOf(block['thinking']) !== '') events.push({ type: 'reasoning', text: textOf(block['thinking']) });
    if (textOf(block['signature']) !== '')
      events.push({ type: 'reasoning-signature', signature: textOf(block['signature']) });
  }
}

function pushCall(block: Loose, index: number, events: NeutralEvent[]): void {
  events.push({ type: 'tool-start', index, id: textOf(block['id']), name: textOf(block['name']) });
  events.push({ type: 'tool-arguments', index, text: JSON.stringify(isObject(block['input']) ? block['input'] : {}) });
  events.push({ type: 'tool-end', index });
}
