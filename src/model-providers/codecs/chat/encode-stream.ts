import { toOpenAiStreamError } from '../encode-error.ts';
import { findOrigin } from '../name-tools.ts';
import type { NeutralEvent, NeutralTool, StreamEncoder, Usage } from '../neutral.ts';
import { createTextReader, type TextReader } from '../text-tools.ts';
import { toChatUsage } from '../usage.ts';
import { toChatFinish } from './finish-reasons.ts';
import { toReasoningDetail } from './reasoning-details.ts';

export interface ChatAnswer {
  readonly id: string;
  /** The model, as the client named it. */
  readonly model: string;
  readonly createdSeconds: number;
  /** Whether the client asked for `stream_options.include_usage`. */
  readonly includeUsage: boolean;
  /** Tools that the provider sees as another kind than the client. */
  readonly tools?: readonly NeutralTool[] | undefined;
}

/** Chunks are built as text: the constant parts are written once. */
export function createChatStreamEncoder({ id, model, createdSeconds, includeUsage, tools }: ChatAnswer): StreamEncoder {
  const head = `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${createdSeconds},"model":${JSON.stringify(model)},`;
  const tail = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  const delta = (json: string, finish = 'null'): string =>
    `${head}"choices":[{"index":0,"delta":${json},"logprobs":null,"finish_reason":${finish}}]${tail}`;
  const opening = delta('{"role":"assistant","content":"","refusal":null}');
  let opened = false;
  let closed = false;
  let usage: Usage | undefined;
  let reasoning = '';
  let details = 0;
  const calls = createCallWriter(delta, tools);

  /** The signature ends a piece of reasoning; clients keep the two together. */
  function detail(fields: { signature: string } | { redacted: string }): string {
    const json = JSON.stringify(toReasoningDetail({ text: reasoning, ...fields }, details));
    reasoning = '';
    details += 1;
    return delta(`{"reasoning_details":[${json}]}`);
  }

  function body(event: NeutralEvent): string {
    switch (event.type) {
      case 'text':
        return delta(`{"content":${JSON.stringify(event.text)}}`);
      case 'refusal':
        return delta(`{"refusal":${JSON.stringify(event.text)}}`);
      case 'reasoning':
        reasoning += event.text;
        return delta(`{"reasoning_content":${JSON.stringify(event.text)}}`);
      case 'reasoning-signature':
        return detail({ signature: event.signature });
      case 'reasoning-redacted':
        return detail({ redacted: event.data });
      case 'tool-start':
        return calls.start(event);
      case 'tool-arguments':
        return calls.write(event.index, event.text);
      case 'tool-end':
        return calls.end(event.index);
      case 'finish': {
        closed = true;
        const counts =
          includeUsage && usage !== undefined
            ? `${head}"choices":[],"usage":${JSON.stringify(toChatUsage(usage))}}\n\n`
            : '';
        return `${delta('{}', JSON.stringify(toChatFinish(event.reason)))}${counts}data: [DONE]\n\n`;
      }
      default:
        return '';
    }
  }

  return {
    encode(event) {
      if (closed) return '';
      if (event.type === 'error') {
        closed = true;
        return `data: ${JSON.stringify(toOpenAiStreamError(event))}\n\n`;
      }
      if (event.type === 'usage') {
        ({ usage } = event);
        return '';
      }
      if (opened) return body(event);
      opened = true;
      return opening + body(event);
    },
  };
}

interface CallWriter {
  start(event: Extract<NeutralEvent, { type: 'tool-start' }>): string;
  write(index: number, json: string): string;
  end(index: number): string;
}

/**
 * The chunks of tool calls: a function's arguments as they arrive, a custom tool's text as it is extracted from them.
 */
function createCallWriter(delta: (json: string) => string, tools: ChatAnswer['tools']): CallWriter {
  let reader: TextReader | undefined;
  const callDelta = (index: number, json: string): string => delta(`{"tool_calls":[{"index":${index},${json}}]}`);
  const textDelta = (index: number, text: string): string =>
    text === '' ? '' : callDelta(index, `"custom":{"input":${JSON.stringify(text)}}`);
  return {
    start({ index, id, name: flat }) {
      const { kind, name } = findOrigin(tools, flat);
      reader = kind === 'custom' ? createTextReader() : undefined;
      const called =
        kind === 'custom'
          ? `"type":"custom","custom":{"name":${JSON.stringify(name)},"input":""}`
          : `"type":"function","function":{"name":${JSON.stringify(name)},"arguments":""}`;
      return callDelta(index, `"id":${JSON.stringify(id)},${called}`);
    },
    write: (index, json) =>
      reader === undefined
        ? callDelta(index, `"function":{"arguments":${JSON.stringify(json)}}`)
        : textDelta(index, reader.feed(json)),
    end: (index) => (reader === undefined ? '' : textDelta(index, reader.end())),
  };
}
