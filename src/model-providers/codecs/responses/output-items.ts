import { isNamespaced } from '../name-tools.ts';
import type { OutputPart, ToolCallPart, ToolOrigin } from '../neutral.ts';
import { sealReasoning, sealSummary } from '../reasoning-seal.ts';
import type { Loose } from '../read-fields.ts';
import { readTextArguments } from '../text-tools.ts';
import { parseArguments, TYPED_TOOLS } from './typed-tools.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The output item of a finished part. Text and refusal are messages of one part each. */
export function toOutputItem(part: Exclude<OutputPart, ToolCallPart>, id: string, status: ItemStatus): Loose {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { id, type: 'message', status, role: 'assistant', content: [toContentPart(part.type, part.text)] };
    case 'reasoning':
      return {
        id,
        type: 'reasoning',
        summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
        encrypted_content: sealReasoning(part),
      };
  }
}

/** A call in the form of the client's tool. `json` is the arguments as the model wrote them. */
export function toCallItem(
  call: { readonly id: string; readonly origin: ToolOrigin; readonly json: string },
  id: string,
  status: ItemStatus,
): Loose {
  const { origin, json } = call;
  const named = {
    call_id: call.id,
    name: origin.name,
    ...(isNamespaced(origin) ? { namespace: origin.namespace } : {}),
  };
  switch (origin.kind) {
    case 'function':
      return { id, type: 'function_call', status, ...named, arguments: json };
    case 'custom':
      return { id, type: 'custom_tool_call', status, ...named, input: readTextArguments(json) };
    default:
      return {
        id,
        type: TYPED_TOOLS[origin.kind].call,
        status,
        call_id: call.id,
        ...TYPED_TOOLS[origin.kind].toItem(parseArguments(json)),
      };
  }
}

export function toContentPart(type: 'text' | 'refusal', text: string): Loose {
  return type === 'text'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'refusal', refusal: text };
}

/** A summary in the form in which a client keeps it, in place of the conversation. */
export function toCompactionItem(text: string, id: string): Loose {
  return { id, type: 'compaction', encrypted_content: sealSummary(text) };
}

export type ItemKind = Exclude<OutputPart['type'], 'tool-call'> | ToolOrigin['kind'] | 'compaction';

const PREFIX = {
  compaction: 'cmp',
  text: 'msg',
  refusal: 'msg',
  reasoning: 'rs',
  function: 'fc',
  custom: 'ctc',
} as const;

/** Item ids are derived from the answer's id, so that the same answer always has the same ones. */
export function itemId(kind: ItemKind, responseId: string, outputIndex: number): string {
  const prefix =
    kind in TYPED_TOOLS ? TYPED_TOOLS[kind as keyof typeof TYPED_TOOLS].prefix : PREFIX[kind as keyof typeof PREFIX];
  return `${prefix}_${responseId.replace(/^resp_/, '')}_${outputIndex}`;
}
