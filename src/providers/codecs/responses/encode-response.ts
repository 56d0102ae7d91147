import type { NeutralResponse } from '../neutral.ts';
import { itemId, toOutputItem } from './output-items.ts';
import { createEnvelope, isIncomplete, type ResponsesAnswer } from './response-envelope.ts';

/** The whole answer as JSON text. */
export function encodeResponsesResponse({ parts, finish, usage }: NeutralResponse, answer: ResponsesAnswer): string {
  const output = parts.map((part, index) => {
    const last = index === parts.length - 1;
    return JSON.stringify(toOutputItem(part, itemId(part.type, answer.id, index), last && isIncomplete(finish) ? 'incomplete' : 'completed'));
  });
  return createEnvelope(answer)({ finish, usage, output });
}
