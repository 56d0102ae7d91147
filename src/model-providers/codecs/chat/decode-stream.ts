import { createStreamDecoder, type Interpreter, type StreamLimits } from '../decode-stream.ts';
import { describeFailure } from '../decode-failure.ts';
import type { NeutralEvent, StreamDecoder, Usage } from '../neutral.ts';
import { createBlockOrder, type BlockOrder } from '../order-blocks.ts';
import { isAbsent, isObject, textOf, type Loose } from '../read-fields.ts';
import { findChatUsage } from '../usage.ts';
import { fromChatFinish } from './finish-reasons.ts';

export function createChatStreamDecoder(limits?: StreamLimits): StreamDecoder {
  return createStreamDecoder(interpretChat, limits);
}

/** The usage comes after the finish reason, in its own chunk, so both are emitted at the end. */
function interpretChat(emit: (event: NeutralEvent) => void): Interpreter {
  const blocks = createBlockOrder(emit);
  let id: string | undefined;
  let usage: Usage | undefined;
  let finish: string | undefined;
  return {
    message(chunk) {
      if (!isAbsent(chunk['error'])) return emit({ type: 'error', ...describeFailure(chunk['error']) });
      if (id === undefined) {
        id = textOf(chunk['id']);
        emit({ type: 'start', id, model: textOf(chunk['model']) });
      }
      usage = findChatUsage(chunk['usage']) ?? usage;
      const choice = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[])[0] : undefined;
      if (!isObject(choice) || (typeof choice['index'] === 'number' && choice['index'] !== 0)) return;
      if (isObject(choice['delta'])) readDelta(choice['delta'], blocks, id);
      if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
    },
    done() {
      if (finish === undefined) return;
      blocks.endAll();
      if (usage !== undefined) emit({ type: 'usage', usage, final: true });
      emit({ type: 'finish', reason: fromChatFinish(finish, blocks.calls) });
    },
  };
}

function readDelta(delta: Loose, blocks: BlockOrder, id: string): void {
  // Two names under which OpenAI-compatible accounts send reasoning.
  const reasoning = delta['reasoning_content'] ?? delta['reasoning'];
  if (typeof reasoning === 'string' && reasoning !== '') blocks.flow({ type: 'reasoning', text: reasoning });
  if (typeof delta['content'] === 'string' && delta['content'] !== '')
    blocks.flow({ type: 'text', text: delta['content'] });
  if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '')
    blocks.flow({ type: 'refusal', text: delta['refusal'] });
  if (!Array.isArray(delta['tool_calls'])) return;
  for (const [position, call] of (delta['tool_calls'] as unknown[]).entries())
    if (isObject(call)) readCall(call, position, blocks, id);
}

/** Some accounts omit the index or the id, or give every call the same index: a new id with a name is a new call. */
function readCall(call: Loose, position: number, blocks: BlockOrder, id: string): void {
  const key = typeof call['index'] === 'number' ? call['index'] : position;
  const fields = isObject(call['function']) ? call['function'] : {};
  const name = textOf(fields['name']);
  const given = textOf(call['id']);
  const known = blocks.find(key);
  if (known === undefined || (name !== '' && given !== '' && given !== known.id)) {
    if (name === '') return;
    blocks.start(key, given === '' ? `call_${id}_${key}` : given, name);
  }
  blocks.arguments(key, textOf(fields['arguments']));
}
