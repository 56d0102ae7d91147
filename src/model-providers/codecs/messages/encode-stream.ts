import { toAnthropicStreamError } from '../encode-error.ts';
import { findOrigin } from '../name-tools.ts';
import type { NeutralEvent, NeutralTool, StreamEncoder, Usage } from '../neutral.ts';
import { NO_USAGE, toMessagesUsage } from '../usage.ts';
import { toStopReason } from './stop-reasons.ts';

export interface MessagesAnswer {
  readonly id: string;
  /** The model, as the client named it. */
  readonly model: string;
  /** Tools that the provider sees under another name than the client. */
  readonly tools?: readonly NeutralTool[] | undefined;
}

type Block = 'none' | 'text' | 'thinking' | 'tool';

interface BlockWriter {
  open(kind: Block, json: string): string;
  delta(json: string): string;
  text(written: string): string;
  thinking(json: string): string;
  close(): string;
}

/** One content block is open at a time; its index is the number of blocks before it. */
function createBlockWriter(): BlockWriter {
  let block: Block = 'none';
  let index = -1;

  function open(kind: Block, json: string): string {
    const before = close();
    index += 1;
    block = kind;
    return `${before}event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${json}}\n\n`;
  }

  function close(): string {
    if (block === 'none') return '';
    block = 'none';
    return `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`;
  }

  const delta = (json: string): string =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${json}}\n\n`;

  function text(written: string): string {
    const before = block === 'text' ? '' : open('text', '{"type":"text","text":""}');
    return before + delta(`{"type":"text_delta","text":${JSON.stringify(written)}}`);
  }

  function thinking(json: string): string {
    const before = block === 'thinking' ? '' : open('thinking', '{"type":"thinking","thinking":"","signature":""}');
    return before + delta(json);
  }

  return { open, delta, text, thinking, close };
}

export function createMessagesStreamEncoder({ id, model, tools }: MessagesAnswer): StreamEncoder {
  const { open, delta, text, thinking, close } = createBlockWriter();
  let usage: Usage = NO_USAGE;
  let opened = false;
  let closed = false;
  let isRefusal = false;

  function start(): string {
    opened = true;
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: toMessagesUsage(usage),
    };
    return `event: message_start\ndata: {"type":"message_start","message":${JSON.stringify(message)}}\n\n`;
  }

  function finish(event: Extract<NeutralEvent, { type: 'finish' }>): string {
    closed = true;
    const change = {
      type: 'message_delta',
      delta: {
        stop_reason: toStopReason(event.reason, event.stopSequence, isRefusal),
        stop_sequence: event.stopSequence ?? null,
      },
      usage: toMessagesUsage(usage),
    };
    return `${close()}event: message_delta\ndata: ${JSON.stringify(change)}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;
  }

  function body(event: NeutralEvent): string {
    switch (event.type) {
      case 'refusal':
        isRefusal = true;
        return text(event.text);
      case 'text':
        return text(event.text);
      case 'reasoning':
        return thinking(`{"type":"thinking_delta","thinking":${JSON.stringify(event.text)}}`);
      case 'reasoning-signature':
        return thinking(`{"type":"signature_delta","signature":${JSON.stringify(event.signature)}}`) + close();
      case 'reasoning-redacted':
        return open('thinking', JSON.stringify({ type: 'redacted_thinking', data: event.data })) + close();
      case 'tool-start':
        return open(
          'tool',
          JSON.stringify({ type: 'tool_use', id: event.id, name: findOrigin(tools, event.name).name, input: {} }),
        );
      case 'tool-arguments':
        return delta(`{"type":"input_json_delta","partial_json":${JSON.stringify(event.text)}}`);
      case 'tool-end':
        return close();
      case 'finish':
        return finish(event);
      default:
        return '';
    }
  }

  return {
    encode(event) {
      if (closed) return '';
      if (event.type === 'usage') {
        ({ usage } = event);
        return '';
      }
      if (event.type === 'error') {
        closed = true;
        return `event: error\ndata: ${JSON.stringify(toAnthropicStreamError(event))}\n\n`;
      }
      return opened ? body(event) : start() + body(event);
    },
  };
}
