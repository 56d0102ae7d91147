import { toOpenAiStreamError } from '../encode-error.ts';
import type { NeutralEvent, StreamEncoder, Usage } from '../neutral.ts';
import { toChatUsage } from '../usage.ts';
import { toChatFinish } from './finish-reasons.ts';
import { toReasoningDetail } from './reasoning-details.ts';

export interface ChatAnswer {
  readonly id: string;
  /** The model under the name that the client asked for. */
  readonly model: string;
  readonly createdSeconds: number;
  /** Whether the client asked for `stream_options.include_usage`. */
  readonly includeUsage: boolean;
}

/** Chunks are put together as text: what is the same in each is written once. */
export function createChatStreamEncoder({ id, model, createdSeconds, includeUsage }: ChatAnswer): StreamEncoder {
  const head = `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${createdSeconds},"model":${JSON.stringify(model)},`;
  const tail = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  const delta = (json: string, finish = 'null'): string => `${head}"choices":[{"index":0,"delta":${json},"logprobs":null,"finish_reason":${finish}}]${tail}`;
  const opening = delta('{"role":"assistant","content":"","refusal":null}');
  let opened = false;
  let closed = false;
  let usage: Usage | undefined;
  let reasoning = '';
  let details = 0;

  /** Its signature ends a piece of reasoning: clients keep the two together. */
  function detail(fields: { signature: string } | { redacted: string }): string {
    const json = JSON.stringify(toReasoningDetail({ text: reasoning, ...fields }, details));
    reasoning = '';
    details += 1;
    return delta(`{"reasoning_details":[${json}]}`);
  }

  function body(event: NeutralEvent): string {
    switch (event.type) {
      case 'text': return delta(`{"content":${JSON.stringify(event.text)}}`);
      case 'refusal': return delta(`{"refusal":${JSON.stringify(event.text)}}`);
      case 'reasoning':
        reasoning += event.text;
        return delta(`{"reasoning_content":${JSON.stringify(event.text)}}`);
      case 'reasoning-signature': return detail({ signature: event.signature });
      case 'reasoning-redacted': return detail({ redacted: event.data });
      case 'tool-start': return delta(`{"tool_calls":[{"index":${event.index},"id":${JSON.stringify(event.id)},"type":"function","function":{"name":${JSON.stringify(event.name)},"arguments":""}}]}`);
      case 'tool-arguments': return delta(`{"tool_calls":[{"index":${event.index},"function":{"arguments":${JSON.stringify(event.text)}}}]}`);
      case 'finish': {
        closed = true;
        const counts = includeUsage && usage !== undefined ? `${head}"choices":[],"usage":${JSON.stringify(toChatUsage(usage))}}\n\n` : '';
        return `${delta('{}', JSON.stringify(toChatFinish(event.reason)))}${counts}data: [DONE]\n\n`;
      }
      default: return '';
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
