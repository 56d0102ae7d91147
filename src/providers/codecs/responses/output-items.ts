import type { OutputPart } from '../neutral.ts';
import { sealReasoning } from '../reasoning-seal.ts';
import type { Loose } from '../read-fields.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The output item of a finished part. Text and refusal are messages of one part each. */
export function toOutputItem(part: OutputPart, id: string, status: ItemStatus): Loose {
  switch (part.type) {
    case 'text': case 'refusal': return { id, type: 'message', status, role: 'assistant', content: [toContentPart(part.type, part.text)] };
    case 'reasoning': return { id, type: 'reasoning', summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }], encrypted_content: sealReasoning(part) };
    case 'tool-call': return { id, type: 'function_call', status, call_id: part.id, name: part.name, arguments: part.arguments };
  }
}

export function toContentPart(type: 'text' | 'refusal', text: string): Loose {
  return type === 'text' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'refusal', refusal: text };
}

const PREFIX = { text: 'msg', refusal: 'msg', reasoning: 'rs', 'tool-call': 'fc' } as const satisfies Record<OutputPart['type'], string>;

/** Item ids are derived from the answer's id, so that the same answer always has the same ones. */
export function itemId(type: OutputPart['type'], responseId: string, outputIndex: number): string {
  return `${PREFIX[type]}_${responseId.replace(/^resp_/, '')}_${outputIndex}`;
}
