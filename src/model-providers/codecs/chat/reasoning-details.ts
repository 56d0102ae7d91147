// How Anthropic's thinking travels in a Chat Completions answer and back with the next request: as `reasoning_details`
// next to the text, in the form that clients of other gateways know and keep.
import type { OutputPart, ReasoningPart } from '../neutral.ts';
import { isObject, textOf, type Loose } from '../read-fields.ts';

const FORMAT = 'anthropic-claude-v1';

export function toReasoningDetail(
  { text, signature, redacted }: Pick<ReasoningPart, 'text' | 'signature' | 'redacted'>,
  index: number,
): Loose {
  if (redacted !== undefined) return { type: 'reasoning.encrypted', data: redacted, format: FORMAT, index };
  return { type: 'reasoning.text', text, signature, format: FORMAT, index };
}

/** Details that are not Anthropic's, or lack its signature, are dropped. */
export function decodeReasoningDetails(details: unknown): OutputPart[] {
  if (!Array.isArray(details)) return [];
  return (details as readonly unknown[]).flatMap((detail): OutputPart[] => {
    if (!isObject(detail) || detail['format'] !== FORMAT) return [];
    if (detail['type'] === 'reasoning.encrypted')
      return textOf(detail['data']) === '' ? [] : [{ type: 'reasoning', text: '', redacted: textOf(detail['data']) }];
    const signature = textOf(detail['signature']);
    return signature === '' ? [] : [{ type: 'reasoning', text: textOf(detail['text']), signature }];
  });
}
