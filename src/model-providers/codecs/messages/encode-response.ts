import { findOrigin } from '../name-tools.ts';
import type { NeutralResponse, OutputPart } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { NO_USAGE, toMessagesUsage } from '../usage.ts';
import { parseArguments } from './encode-conversation.ts';
import type { MessagesAnswer } from './encode-stream.ts';
import { toStopReason } from './stop-reasons.ts';

export function encodeMessagesResponse(response: NeutralResponse, { id, model, tools }: MessagesAnswer): Loose {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: response.parts.map((part) => encodeBlock(part, tools)),
    stop_reason: toStopReason(
      response.finish,
      response.stopSequence,
      response.parts.some(({ type }) => type === 'refusal'),
    ),
    stop_sequence: response.stopSequence ?? null,
    usage: toMessagesUsage(response.usage ?? NO_USAGE),
  };
}

function encodeBlock(part: OutputPart, tools: MessagesAnswer['tools']): Loose {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return part.redacted === undefined
        ? { type: 'thinking', thinking: part.text, signature: part.signature ?? '' }
        : { type: 'redacted_thinking', data: part.redacted };
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.id,
        name: findOrigin(tools, part.name).name,
        input: parseArguments(part.arguments),
      };
  }
}
