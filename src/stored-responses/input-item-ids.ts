// Most input items have no id. The id they are listed under encodes their position, so that a reference can be resolved
// without an index.
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import type { StoredResponse } from './stored-response.ts';

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', reasoning: 'rs' };
const SHAPE = /^[a-z]+_([\w-]+)_in_(\d{1,7})$/;

export function inputItemId(responseId: string, item: Loose, index: number): string {
  if (typeof item['id'] === 'string') return item['id'];
  return `${PREFIXES[String(item['type'] ?? 'message')] ?? 'item'}_${responseId.replace(/^resp_/, '')}_in_${index}`;
}

/** The response whose input contains it, and the position. */
export function readInputItemId(id: string): { responseId: string; index: number } | undefined {
  const [, key, index] = SHAPE.exec(id) ?? [];
  return key === undefined ? undefined : { responseId: `resp_${key}`, index: Number(index) };
}

export function findInputItem({ input }: StoredResponse, id: string): Loose | undefined {
  return input[readInputItemId(id)?.index ?? -1];
}
