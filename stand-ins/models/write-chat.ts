// A reply as a chat completion, whole or streamed.
import type { Frame, Reply, ToolCall, Usage } from './reply.ts';

type FinishReason = 'stop' | 'length' | 'tool_calls';

export function wholeChat(reply: Reply): object {
  const text = reply.pieces.join('');
  return {
    ...head(reply, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && reply.calls.length > 0 ? null : text,
          refusal: null,
          ...(reply.calls.length > 0
            ? { tool_calls: reply.calls.map((call) => toolCall(call, JSON.stringify(call.arguments))) }
            : {}),
        },
        logprobs: null,
        finish_reason: finishReason(reply),
      },
    ],
    ...(reply.usage ? { usage: chatUsage(reply.usage) } : {}),
  };
}

export function* streamChat(reply: Reply, streamUsage: boolean): Generator<Frame> {
  // If usage is requested, it is null in every chunk before the last.
  const chunk = (delta: object, finish: FinishReason | null = null): string =>
    JSON.stringify({
      ...head(reply, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(streamUsage ? { usage: null } : {}),
    });
  yield {
    data: chunk({
      role: 'assistant',
      content: reply.calls.length > 0 && reply.pieces.length === 0 ? null : '',
      refusal: null,
    }),
    tokens: 0,
  };
  for (const piece of reply.pieces) yield { data: chunk({ content: piece }), tokens: 1 };
  for (const [index, call] of reply.calls.entries()) {
    yield { data: chunk({ tool_calls: [{ index, ...toolCall(call, '') }] }), tokens: 1 };
    for (const part of halve(JSON.stringify(call.arguments)))
      yield { data: chunk({ tool_calls: [{ index, function: { arguments: part } }] }), tokens: 1 };
  }
  yield { data: chunk({}, finishReason(reply)), tokens: 0 };
  if (streamUsage && reply.usage)
    yield {
      data: JSON.stringify({ ...head(reply, 'chat.completion.chunk'), choices: [], usage: chatUsage(reply.usage) }),
      tokens: 0,
    };
  yield { data: '[DONE]', tokens: 0 };
}

function head({ id, model, createdAt }: Reply, object: string): object {
  return {
    id: `chatcmpl-${id}`,
    object,
    created: Math.floor(createdAt.getTime() / 1000),
    model,
    service_tier: 'default',
    system_fingerprint: null,
  };
}

function toolCall({ id, name }: ToolCall, text: string): object {
  return { id: `call_${id}`, type: 'function', function: { name, arguments: text } };
}

function finishReason({ end, calls }: Reply): FinishReason {
  if (end === 'length') return 'length';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function chatUsage({ inputTokens, outputTokens, cachedTokens = 0 }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Arguments arrive in parts, and a single part is not valid JSON. */
export function halve(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter(Boolean);
}
