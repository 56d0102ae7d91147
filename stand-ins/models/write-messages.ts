// A reply as a message of the Messages API, whole or streamed.
import type { Frame, Reply, ToolCall, Usage } from './reply.ts';
import { signThinking } from './rules/sealed-content.ts';
import { halve } from './write-chat.ts';

export function wholeMessage(reply: Reply): object {
  const text = reply.pieces.join('');
  return {
    ...head(reply),
    content: [
      ...thinkingBlocks(reply),
      ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
      ...reply.calls.map((call) => ({ ...toolUse(call), input: call.arguments })),
    ],
    stop_reason: stopReason(reply),
    stop_sequence: reply.stopSequence ?? null,
    ...(reply.usage ? { usage: messageUsage(reply.usage) } : {}),
  };
}

export function* streamMessage(reply: Reply): Generator<Frame> {
  const frame = (event: string, fields: object, tokens = 0): Frame => ({
    event,
    data: JSON.stringify({ type: event, ...fields }),
    tokens,
  });
  const started = reply.usage
    ? { usage: messageUsage({ ...reply.usage, outputTokens: Math.min(1, reply.usage.outputTokens) }) }
    : {};
  yield frame('message_start', {
    message: { ...head(reply), content: [], stop_reason: null, stop_sequence: null, ...started },
  });
  let index = 0;
  for (const { thinking, signature } of thinkingBlocks(reply)) {
    yield frame('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    for (const part of halve(thinking))
      yield frame('content_block_delta', { index, delta: { type: 'thinking_delta', thinking: part } }, 1);
    yield frame('content_block_delta', { index, delta: { type: 'signature_delta', signature } });
    yield frame('content_block_stop', { index });
    index++;
  }
  if (reply.pieces.length > 0) {
    yield frame('content_block_start', { index, content_block: { type: 'text', text: '', citations: null } });
    yield frame('ping', {});
    for (const piece of reply.pieces)
      yield frame('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }, 1);
    yield frame('content_block_stop', { index });
    index++;
  }
  for (const call of reply.calls) {
    yield frame('content_block_start', { index, content_block: { ...toolUse(call), input: {} } }, 1);
    for (const part of halve(JSON.stringify(call.arguments)))
      yield frame('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: part } }, 1);
    yield frame('content_block_stop', { index });
    index++;
  }
  yield frame('message_delta', {
    delta: { stop_reason: stopReason(reply), stop_sequence: reply.stopSequence ?? null },
    ...(reply.usage ? { usage: { output_tokens: reply.usage.outputTokens } } : {}),
  });
  yield frame('message_stop', {});
}

function thinkingBlocks({ thinking }: Reply): { type: 'thinking'; thinking: string; signature: string }[] {
  return thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: signThinking(thinking) }];
}

function head({ id, model }: Reply): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function toolUse({ id, name }: ToolCall): object {
  return { type: 'tool_use', id: `toolu_${id}`, name };
}

function stopReason({ end, calls }: Reply): string {
  if (end === 'length') return 'max_tokens';
  if (calls.length > 0) return 'tool_use';
  return end === 'stop-sequence' ? 'stop_sequence' : 'end_turn';
}

/** Anthropic reports cached tokens separately from input tokens. */
function messageUsage({ inputTokens, outputTokens, cachedTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}
