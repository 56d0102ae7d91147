// The same answer in one piece, as each protocol has it.
import type { Protocol } from '../../../src/model-providers/codecs/neutral.ts';
import { signThinking } from '../../../stand-ins/models/rules/sealed-content.ts';
import type { Block, StreamedAnswer } from './answer.ts';
import { createChance } from './chance.ts';
import { responsesStream } from './responses-stream.ts';

export function wholeAnswer(protocol: Protocol, answer: StreamedAnswer): object {
  return WHOLE[protocol](answer);
}

const WHOLE = {
  messages: ({ id, model, blocks, usage, cut }) => ({
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: blocks.map(contentBlock),
    stop_reason: cut ? 'max_tokens' : calls(blocks).length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: usage.input - usage.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    },
  }),
  chat: ({ id, model, blocks, usage, cut }) => {
    const said = (kind: 'text' | 'thinking'): string =>
      blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('');
    const called = calls(blocks).map(({ id: call, name, arguments: given }) => ({
      id: call,
      type: 'function',
      function: { name, arguments: given },
    }));
    const message = {
      role: 'assistant',
      content: said('text') || null,
      refusal: null,
      ...(said('thinking') === '' ? {} : { reasoning_content: said('thinking') }),
      ...(called.length > 0 ? { tool_calls: called } : {}),
    };
    return {
      id,
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          message,
          logprobs: null,
          finish_reason: cut ? 'length' : called.length > 0 ? 'tool_calls' : 'stop',
        },
      ],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
      },
    };
  },
  responses: lastResponse,
} as const satisfies Record<Protocol, (answer: StreamedAnswer) => object>;

function contentBlock(block: Block): object {
  if (block.kind === 'text') return { type: 'text', text: block.text };
  if (block.kind === 'thinking') return { type: 'thinking', thinking: block.text, signature: signThinking(block.text) };
  return { type: 'tool_use', id: block.id, name: block.name, input: JSON.parse(block.arguments) as object };
}

function calls(blocks: readonly Block[]): Extract<Block, { kind: 'tool' }>[] {
  return blocks.filter((block) => block.kind === 'tool');
}

/** The last event of a stream holds the whole. */
function lastResponse(answer: StreamedAnswer): object {
  const last = responsesStream(answer, createChance(0)).at(-1);
  if (last === undefined) throw new Error('the stream has no events');
  return (last.data as { response: object }).response;
}
