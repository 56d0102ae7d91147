// The items that a response was made from, one page at a time, in OpenAI's shape.
import { AppError } from '../base/errors.ts';
import { PAGE_BYTES } from '../base/page-bytes.ts';
import { isAbsent, type Loose } from '../model-providers/codecs/read-fields.ts';
import { inputItemId } from './input-item-ids.ts';
import { outputOf, type StoredResponse } from './stored-response.ts';

export interface ItemPage {
  readonly object: 'list';
  readonly data: readonly Loose[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** The conversation from its first response to the requested one, whose own output is not input. */
export function listInputItems(conversation: readonly StoredResponse[], query: URLSearchParams): ItemPage {
  const { after, limit, order } = readQuery(query);
  const asked = conversation.at(-1);
  const all = conversation.flatMap((part) => [
    ...part.input.map((item, index) => presentItem(item, inputItemId(part.id, item, index))),
    ...(part === asked ? [] : outputOf(part)),
  ]);
  if (order === 'desc') all.reverse();
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (start === 0 && after !== null)
    throw new AppError('invalid_request', { after: 'must be the id of an item in this list' });
  const data = cutPage(all, start, limit);
  return {
    object: 'list',
    data,
    first_id: idOf(data[0]),
    last_id: idOf(data.at(-1)),
    has_more: start + data.length < all.length,
  };
}

/** At least one item, and as many more as are small enough together. */
function cutPage(all: readonly Loose[], start: number, limit: number): Loose[] {
  const page: Loose[] = [];
  let bytes = 0;
  for (const item of all.slice(start, start + limit)) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > PAGE_BYTES && page.length > 0) break;
    page.push(item);
  }
  return page;
}

function readQuery(query: URLSearchParams): { after: string | null; limit: number; order: 'asc' | 'desc' } {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  const order = query.get('order') ?? 'desc';
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST)
    throw new AppError('invalid_request', { limit: `must be a whole number from 1 to ${MOST}` });
  if (order !== 'asc' && order !== 'desc') throw new AppError('invalid_request', { order: 'must be asc or desc' });
  return { after: query.get('after'), limit: Number(limit), order };
}

const TEXT_TYPES: Readonly<Record<string, string>> = { assistant: 'output_text' };

/** A message sent in short form is shown in full. */
function presentItem(item: Loose, id: string): Loose {
  const type = item['type'] ?? 'message';
  if (type !== 'message') return { ...item, id };
  const { role, content } = item;
  const parts =
    typeof content === 'string' ? [{ type: TEXT_TYPES[String(role)] ?? 'input_text', text: content }] : content;
  return { ...item, id, type, status: isAbsent(item['status']) ? 'completed' : item['status'], role, content: parts };
}

function idOf(item: Loose | undefined): string | null {
  return typeof item?.['id'] === 'string' ? item['id'] : null;
}
