// A body that is translated is looked at item by item, on the event loop: this many take some tens of milliseconds.
// A body that its provider understands as it is goes on as it is, and the provider has limits of its own.
import { AppError } from '../../base/errors.ts';
import type { Protocol } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

/** Messages, the parts of their contents, and tools, together. */
export const MOST_TRANSLATED_ITEMS = 10_000;

export function refuseTooMany(protocol: Protocol, body: Loose): void {
  const field = protocol === 'responses' ? 'input' : 'messages';
  const items: unknown = body[field];
  const tools: unknown = body['tools'];
  let count = Array.isArray(tools) ? tools.length : 0;
  if (Array.isArray(items)) {
    count += items.length;
    if (count <= MOST_TRANSLATED_ITEMS) for (const item of items as unknown[]) count += isObject(item) && Array.isArray(item['content']) ? item['content'].length : 0;
  }
  if (count > MOST_TRANSLATED_ITEMS) throw new AppError('invalid_request', { [field]: `holds more than ${MOST_TRANSLATED_ITEMS} items, parts and tools, which is the most for a model of another provider's protocol` });
}
