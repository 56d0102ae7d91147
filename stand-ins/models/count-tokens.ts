// A demo model has no tokenizer: four bytes of input count as a token, and output is split into words.
import type { DemoRequest } from './demo-request.ts';

const BYTES_PER_TOKEN = 4;
const TOKENS_PER_ITEM = 3;

export function countText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export function countInput({ system, items, tools }: Pick<DemoRequest, 'system' | 'items' | 'tools'>): number {
  const said = items.reduce(
    (sum, item) => sum + TOKENS_PER_ITEM + countText('text' in item ? item.text : item.name),
    0,
  );
  return (
    said +
    (system === '' ? 0 : TOKENS_PER_ITEM + countText(system)) +
    (tools.length === 0 ? 0 : countText(JSON.stringify(tools)))
  );
}

/** Joining the pieces gives the text. */
export function splitTokens(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}_]{1,8}|\s*[^\s\p{L}\p{N}_]|\s+/gu) ?? [];
}
