import { describeFailure } from '../decode-failure.ts';
import { createStreamDecoder, type Interpreter, type StreamLimits } from '../decode-stream.ts';
import type { NeutralEvent, StreamDecoder } from '../neutral.ts';
import { createBlockOrder } from '../order-blocks.ts';
import { isObject, textOf, type Loose } from '../read-fields.ts';
import { finishResponse } from './finish-response.ts';

/** The last event repeats the whole answer, including tools and instructions, so it may be larger than other events. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

export function createResponsesStreamDecoder(limits: StreamLimits = {}): StreamDecoder {
  return createStreamDecoder(interpretResponses, { maxEventBytes: MAX_EVENT_BYTES, ...limits });
}

function interpretResponses(emit: (event: NeutralEvent) => void): Interpreter {
  const blocks = createBlockOrder(emit);
  let started = false;

  function start(response: Loose): void {
    if (started) return;
    started = true;
    emit({ type: 'start', id: textOf(response['id']), model: textOf(response['model']) });
  }

  function endItem(key: number, item: Loose): void {
    if (item['type'] !== 'function_call') return;
    if (blocks.find(key) === undefined) blocks.start(key, textOf(item['call_id']), textOf(item['name']));
    if (blocks.find(key)?.text === '') blocks.arguments(key, textOf(item['arguments']));
    blocks.end(key);
  }

  function finish(response: Loose): void {
    start(response);
    blocks.endAll();
    for (const event of finishResponse(response, blocks.calls)) emit(event);
  }

  return {
    message(event) {
      const key = typeof event['output_index'] === 'number' ? event['output_index'] : 0;
      const item = isObject(event['item']) ? event['item'] : {};
      const response = isObject(event['response']) ? event['response'] : {};
      switch (event['type']) {
        case 'response.created':
        case 'response.in_progress':
          return start(response);
        case 'response.output_item.added':
          if (item['type'] === 'function_call') blocks.start(key, textOf(item['call_id']), textOf(item['name']));
          return;
        case 'response.output_text.delta':
          return blocks.flow({ type: 'text', text: textOf(event['delta']) });
        case 'response.refusal.delta':
          return blocks.flow({ type: 'refusal', text: textOf(event['delta']) });
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return blocks.flow({ type: 'reasoning', text: textOf(event['delta']) });
        case 'response.reasoning_summary_part.added':
          if (typeof event['summary_index'] === 'number' && event['summary_index'] > 0)
            blocks.flow({ type: 'reasoning', text: '\n\n' });
          return;
        case 'response.function_call_arguments.delta':
          return blocks.arguments(key, textOf(event['delta']));
        case 'response.output_item.done':
          return endItem(key, item);
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          return finish(response);
        case 'error':
          return emit({ type: 'error', ...describeFailure(isObject(event['error']) ? event['error'] : event) });
      }
    },
    // The final state is a separate event: bytes that end without it were cut short.
    done: () => undefined,
  };
}
