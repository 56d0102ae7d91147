import { findOrigin } from '../name-tools.ts';
import type { NeutralResponse } from '../neutral.ts';
import { itemId, toCallItem, toCompactionItem, toOutputItem } from './output-items.ts';
import { createEnvelope, isIncomplete, type ResponsesAnswer } from './response-envelope.ts';

/** The whole answer as JSON text. */
export function encodeResponsesResponse({ parts, finish, usage }: NeutralResponse, answer: ResponsesAnswer): string {
  const summary = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  if (answer.compacts && summary !== '')
    return createEnvelope(answer)({
      finish,
      usage,
      output: [JSON.stringify(toCompactionItem(summary, itemId('compaction', answer.id, 0)))],
    });
  const output = parts.map((part, index) => {
    const status = index === parts.length - 1 && isIncomplete(finish) ? 'incomplete' : 'completed';
    if (part.type !== 'tool-call')
      return JSON.stringify(toOutputItem(part, itemId(part.type, answer.id, index), status));
    const origin = findOrigin(answer.tools, part.name);
    return JSON.stringify(
      toCallItem({ id: part.id, origin, json: part.arguments }, itemId(origin.kind, answer.id, index), status),
    );
  });
  return createEnvelope(answer)({ finish, usage, output });
}
