import { describeFailure } from '../decode-failure.ts';
import { createStreamDecoder, type Interpreter, type StreamLimits } from '../decode-stream.ts';
import type { NeutralEvent, StreamDecoder } from '../neutral.ts';
import { isObject, textOf, type Loose } from '../read-fields.ts';
import { findMessagesUsage, mergeMessagesUsage } from '../usage.ts';
import { fromStopReason } from './stop-reasons.ts';

export function createMessagesStreamDecoder(limits?: StreamLimits): StreamDecoder {
  return createStreamDecoder(interpretMessages, limits);
}

interface OpenCall {
  readonly index: number;
  /** Arguments given whole at the start of the block; used if no piece follows. */
  readonly given: string;
  pieces: boolean;
}

interface BlockReader {
  start(block: Loose): void;
  delta(piece: Loose): void;
  end(): void;
}

/** The content blocks of a message, one after another. */
function createBlockReader(emit: (event: NeutralEvent) => void): BlockReader {
  let call: OpenCall | undefined;
  let calls = 0;

  function start(block: Loose): void {
    end();
    if (block['type'] === 'tool_use') {
      const given =
        isObject(block['input']) && Object.keys(block['input']).length > 0 ? JSON.stringify(block['input']) : '{}';
      call = { index: calls, given, pieces: false };
      calls += 1;
      emit({ type: 'tool-start', index: call.index, id: textOf(block['id']), name: textOf(block['name']) });
    } else if (block['type'] === 'redacted_thinking') emit({ type: 'reasoning-redacted', data: textOf(block['data']) });
    else if (block['type'] === 'text' && textOf(block['text']) !== '')
      emit({ type: 'text', text: textOf(block['text']) });
    else if (block['type'] === 'thinking' && textOf(block['thinking']) !== '')
      emit({ type: 'reasoning', text: textOf(block['thinking']) });
  }

  function end(): void {
    if (call === undefined) return;
    if (!call.pieces) emit({ type: 'tool-arguments', index: call.index, text: call.given });
    emit({ type: 'tool-end', index: call.index });
    call = undefined;
  }

  function delta(piece: Loose): void {
    switch (piece['type']) {
      case 'text_delta':
        return emit({ type: 'text', text: textOf(piece['text']) });
      case 'thinking_delta':
        return emit({ type: 'reasoning', text: textOf(piece['thinking']) });
      case 'signature_delta':
        return emit({ type: 'reasoning-signature', signature: textOf(piece['signature']) });
      case 'input_json_delta': {
        const text = textOf(piece['partial_json']);
        if (call === undefined || text === '') return;
        call.pieces = true;
        return emit({ type: 'tool-arguments', index: call.index, text });
      }
    }
  }

  return { start, delta, end };
}

function interpretMessages(emit: (event: NeutralEvent) => void): Interpreter {
  let counts: Loose = {};
  let stopReason: string | undefined;
  let stopSequence: string | undefined;
  const blocks = createBlockReader(emit);

  function count(usage: unknown, final: boolean): void {
    counts = mergeMessagesUsage(counts, usage);
    const found = findMessagesUsage(counts);
    if (found !== undefined) emit({ type: 'usage', usage: found, final });
  }

  function done(): void {
    if (stopReason === undefined) return;
    blocks.end();
    count(undefined, true);
    emit({ type: 'finish', reason: fromStopReason(stopReason), stopSequence });
  }

  return {
    message(event) {
      switch (event['type']) {
        case 'message_start': {
          const message = isObject(event['message']) ? event['message'] : {};
          emit({ type: 'start', id: textOf(message['id']), model: textOf(message['model']) });
          return count(message['usage'], false);
        }
        case 'content_block_start':
          return isObject(event['content_block']) ? blocks.start(event['content_block']) : undefined;
        case 'content_block_delta':
          return isObject(event['delta']) ? blocks.delta(event['delta']) : undefined;
        case 'content_block_stop':
          return blocks.end();
        case 'message_delta': {
          const change = isObject(event['delta']) ? event['delta'] : {};
          if (typeof change['stop_reason'] === 'string') stopReason = change['stop_reason'];
          if (typeof change['stop_sequence'] === 'string') stopSequence = change['stop_sequence'];
          counts = mergeMessagesUsage(counts, event['usage']);
          return;
        }
        case 'message_stop':
          return done();
        case 'error':
          return emit({ type: 'error', ...describeFailure(event['error']) });
      }
    },
    done,
  };
}
