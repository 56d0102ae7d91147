import { findOrigin } from '../name-tools.ts';
import type { NeutralResponse, ToolCallPart } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { readTextArguments } from '../text-tools.ts';
import { NO_USAGE, toChatUsage } from '../usage.ts';
import type { ChatAnswer } from './encode-stream.ts';
import { toChatFinish } from './finish-reasons.ts';
import { toReasoningDetail } from './reasoning-details.ts';

export function encodeChatResponse(
  response: NeutralResponse,
  { id, model, createdSeconds, tools }: Omit<ChatAnswer, 'includeUsage'>,
): Loose {
  let content = '';
  let refusal = '';
  let reasoning = '';
  const details: Loose[] = [];
  const calls: Loose[] = [];
  for (const part of response.parts) {
    if (part.type === 'text') content += part.text;
    else if (part.type === 'refusal') refusal += part.text;
    else if (part.type === 'reasoning') {
      reasoning += part.text;
      if (part.signature !== undefined || part.redacted !== undefined)
        details.push(toReasoningDetail(part, details.length));
    } else calls.push(toCall(part, tools));
  }
  const message = {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    annotations: [],
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created: createdSeconds,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: toChatFinish(response.finish) }],
    usage: toChatUsage(response.usage ?? NO_USAGE),
  };
}

function toCall({ id, name: flat, arguments: json }: ToolCallPart, tools: ChatAnswer['tools']): Loose {
  const { kind, name } = findOrigin(tools, flat);
  return kind === 'custom'
    ? { id, type: 'custom', custom: { name, input: readTextArguments(json) } }
    : { id, type: 'function', function: { name, arguments: json } };
}
