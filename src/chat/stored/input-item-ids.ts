// Items of an input mostly have no id. The one that they are shown under says where they stand, so that a reference to
// it can be followed without a list of them.
import type { Loose } from '../../model-providers/codecs/read-fields.ts';
import type { StoredResponse } from './stored-response.ts';

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', reasoning: 'rs' };
const SHAPE = /^[a-z]+_([\w-]+)_in_(\d{1,7})$/;

export function inputItemId(responseId: string, item: Loose, index: number): string {
  if (typeof item['id'] === 'string') return item['id'];
  return `${PREFIXES[String(item['type'] ?? 'message')] ?? 'item'}_${responseId.replace(/^resp_/, '')}_in_${index}`;
}

/** The response whose input has it, and where. */
export function readInputItemId(id: string): { responseId: string; index: number } | undefined {
  const [, key, index] = SHAPE.exec(id) ?? [];
  return key === undefined ? undefined : { responseId: `resp_${key}`, index: Number(index) };
}

export function findInputItem({ input }: StoredResponse, id: string): Loose | undefined {
  return input[readInputItemId(id)?.index ?? -1];
}
