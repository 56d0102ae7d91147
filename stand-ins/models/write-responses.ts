// A reply as a response of the Responses API, whole or streamed.
import type { Frame, Reply, ToolCall, Usage } from './reply.ts';
import { sealText } from './rules/sealed-content.ts';
import { halve } from './write-chat.ts';

interface OutputItem {
  readonly id: string;
  readonly type: string;
}

export function wholeResponse(reply: Reply): object {
  return response(reply, reply.end === 'length' ? 'incomplete' : 'completed', outputOf(reply));
}

export function* streamResponse(reply: Reply): Generator<Frame> {
  let sequence = 0;
  const frame = (event: string, fields: object, tokens = 0): Frame => ({
    event,
    data: JSON.stringify({ type: event, sequence_number: sequence++, ...fields }),
    tokens,
  });
  yield frame('response.created', { response: response(reply, 'in_progress', []) });
  yield frame('response.in_progress', { response: response(reply, 'in_progress', []) });
  if (reply.compacts) yield* streamCompaction(reply, frame);
  else if (reply.pieces.length > 0 || reply.calls.length === 0) yield* streamText(reply, frame);
  const before = reply.pieces.length > 0 || reply.calls.length === 0 ? 1 : 0;
  for (const [index, call] of reply.calls.entries()) yield* streamCall(call, before + index, frame);
  const end = reply.end === 'length' ? 'incomplete' : 'completed';
  yield frame(`response.${end}`, { response: response(reply, end, outputOf(reply)) });
}

type Framing = (event: string, fields: object, tokens?: number) => Frame;

function* streamText(reply: Reply, frame: Framing): Generator<Frame> {
  const item = message(reply, 'in_progress', '');
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  const text = reply.pieces.join('');
  yield frame('response.output_item.added', { output_index: 0, item: { ...item, content: [] } });
  yield frame('response.content_part.added', { ...at, part: textPart('') });
  for (const piece of reply.pieces) yield frame('response.output_text.delta', { ...at, delta: piece, logprobs: [] }, 1);
  yield frame('response.output_text.done', { ...at, text, logprobs: [] });
  yield frame('response.content_part.done', { ...at, part: textPart(text) });
  yield frame('response.output_item.done', {
    output_index: 0,
    item: message(reply, reply.end === 'length' ? 'incomplete' : 'completed', text),
  });
}

function* streamCompaction(reply: Reply, frame: Framing): Generator<Frame> {
  const item = compaction(reply);
  yield frame('response.output_item.added', { output_index: 0, item: { ...item, encrypted_content: '' } });
  yield frame('response.output_item.done', { output_index: 0, item }, reply.pieces.length);
}

function* streamCall(call: ToolCall, index: number, frame: Framing): Generator<Frame> {
  if (call.input !== undefined) return yield* streamCustomCall(call, call.input, index, frame);
  const done = toolCall(call, 'completed');
  const at = { item_id: done.id, output_index: index };
  yield frame(
    'response.output_item.added',
    { output_index: index, item: { ...toolCall(call, 'in_progress'), arguments: '' } },
    1,
  );
  for (const delta of halve(JSON.stringify(call.arguments)))
    yield frame('response.function_call_arguments.delta', { ...at, delta }, 1);
  yield frame('response.function_call_arguments.done', {
    ...at,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  });
  yield frame('response.output_item.done', { output_index: index, item: done });
}

function* streamCustomCall(call: ToolCall, input: string, index: number, frame: Framing): Generator<Frame> {
  const done = toolCall(call, 'completed');
  const at = { item_id: done.id, output_index: index };
  yield frame(
    'response.output_item.added',
    { output_index: index, item: { ...toolCall(call, 'in_progress'), input: '' } },
    1,
  );
  for (const delta of halve(input)) yield frame('response.custom_tool_call_input.delta', { ...at, delta }, 1);
  yield frame('response.custom_tool_call_input.done', { ...at, input });
  yield frame('response.output_item.done', { output_index: index, item: done });
}

function outputOf(reply: Reply): OutputItem[] {
  const text = reply.pieces.join('');
  if (reply.compacts) return [compaction(reply)];
  const said =
    text !== '' || reply.calls.length === 0
      ? [message(reply, reply.end === 'length' ? 'incomplete' : 'completed', text)]
      : [];
  return [...said, ...reply.calls.map((call) => toolCall(call, 'completed'))];
}

function compaction({ id, pieces }: Reply): OutputItem & object {
  return { id: `cmp_${id}`, type: 'compaction', encrypted_content: sealText(pieces.join('')) } as OutputItem;
}

function message(reply: Reply, status: string, text: string): OutputItem & object {
  return { id: `msg_${reply.id}`, type: 'message', status, role: 'assistant', content: [textPart(text)] } as OutputItem;
}

function toolCall({ id, name, namespace, input, arguments: given }: ToolCall, status: string): OutputItem & object {
  const called = { status, call_id: `call_${id}`, name, ...(namespace === undefined ? {} : { namespace }) };
  if (input !== undefined) return { id: `ctc_${id}`, type: 'custom_tool_call', ...called, input } as OutputItem;
  return { id: `fc_${id}`, type: 'function_call', ...called, arguments: JSON.stringify(given) } as OutputItem;
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function response(
  reply: Reply,
  status: 'in_progress' | 'completed' | 'incomplete',
  output: readonly OutputItem[],
): object {
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: Math.floor(reply.createdAt.getTime() / 1000),
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: reply.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: status === 'in_progress' || !reply.usage ? null : responseUsage(reply.usage),
    user: null,
  };
}

function responseUsage({ inputTokens, outputTokens, cachedTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
