// A translated body is processed item by item. A body that is passed through is not limited here, because the provider
// has its own limits.
import { AppError } from '../../base/errors.ts';
import type { Protocol } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

/** Messages, their content parts, and tools, together. */
export const MOST_TRANSLATED_ITEMS = 10_000;

export function refuseTooMany(protocol: Protocol, body: Loose): void {
  const field = protocol === 'responses' ? 'input' : 'messages';
  const items: unknown = body[field];
  const tools: unknown = body['tools'];
  let count = countTools(tools);
  if (Array.isArray(items)) {
    count += items.length;
    if (count <= MOST_TRANSLATED_ITEMS)
      for (const item of items as unknown[])
        count += isObject(item)
          ? (Array.isArray(item['content']) ? item['content'].length : 0) + countTools(item['tools'])
          : 0;
  }
  if (count > MOST_TRANSLATED_ITEMS)
    throw new AppError('invalid_request', {
      [field]: `holds more than ${MOST_TRANSLATED_ITEMS} items, parts and tools, which is the most for a model of another provider's protocol`,
    });
}

/** Including tools in namespaces. */
function countTools(tools: unknown): number {
  if (!Array.isArray(tools)) return 0;
  return (tools as readonly unknown[]).reduce<number>(
    (count, tool) => count + 1 + (isObject(tool) && Array.isArray(tool['tools']) ? tool['tools'].length : 0),
    0,
  );
}
