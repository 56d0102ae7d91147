// The event sequence of the Responses API. Each item is opened, written and closed before the next; the text of the
// open one is kept, because closing events repeat it.
import { toOpenAiStreamError } from '../encode-error.ts';
import type { NeutralEvent, OutputPart, StreamEncoder, Usage } from '../neutral.ts';
import { itemId, toContentPart, toOutputItem, type ItemStatus } from './output-items.ts';
import { createEnvelope, isIncomplete, type ResponsesAnswer } from './response-envelope.ts';

type Kind = OutputPart['type'];

/** The names of the events by which each kind of item is written. */
const WRITES = {
  text: { delta: 'response.output_text.delta', done: 'response.output_text.done', field: 'text', place: '"content_index":0,"logprobs":[],' },
  refusal: { delta: 'response.refusal.delta', done: 'response.refusal.done', field: 'refusal', place: '"content_index":0,' },
  reasoning: { delta: 'response.reasoning_summary_text.delta', done: 'response.reasoning_summary_text.done', field: 'text', place: '"summary_index":0,' },
  'tool-call': { delta: 'response.function_call_arguments.delta', done: 'response.function_call_arguments.done', field: 'arguments', place: '' },
} as const satisfies Record<Kind, { delta: string; done: string; field: string; place: string }>;

interface OpenItem {
  readonly kind: Kind;
  readonly id: string;
  /** `"item_id":…,"output_index":…,` */
  readonly where: string;
  readonly call: { id: string; name: string };
  text: string;
  signature: string | undefined;
  redacted: string | undefined;
  begun: boolean;
}

export function createResponsesStreamEncoder(answer: ResponsesAnswer): StreamEncoder {
  const envelope = createEnvelope(answer);
  const output: string[] = [];
  let sequence = 0;
  let item: OpenItem | undefined;
  let usage: Usage | undefined;
  let opened = false;
  let closed = false;

  function send(type: string, fields: string): string {
    sequence += 1;
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence - 1},${fields}}\n\n`;
  }

  function part(open: OpenItem): OutputPart {
    if (open.kind === 'tool-call') return { type: 'tool-call', ...open.call, arguments: open.text };
    return open.kind === 'reasoning' ? { type: 'reasoning', text: open.text, signature: open.signature, redacted: open.redacted } : { type: open.kind, text: open.text };
  }

  const itemJson = (open: OpenItem, status: ItemStatus): string => JSON.stringify(toOutputItem(part(open), open.id, status));

  function open(kind: Kind, call = { id: '', name: '' }): string {
    const before = close('completed');
    const id = itemId(kind, answer.id, output.length);
    item = { kind, id, where: `"item_id":${JSON.stringify(id)},"output_index":${output.length},`, call, text: '', signature: undefined, redacted: undefined, begun: false };
    const empty = kind === 'text' || kind === 'refusal' ? JSON.stringify({ id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }) : itemJson(item, 'in_progress');
    return before + send('response.output_item.added', `"output_index":${output.length},"item":${empty}`);
  }

  /** The part of a message or summary, announced before its first piece. */
  function begin(open: OpenItem): string {
    if (open.begun) return '';
    open.begun = true;
    if (open.kind === 'tool-call') return '';
    if (open.kind === 'reasoning') return send('response.reasoning_summary_part.added', `${open.where}"summary_index":0,"part":{"type":"summary_text","text":""}`);
    return send('response.content_part.added', `${open.where}"content_index":0,"part":${JSON.stringify(toContentPart(open.kind, ''))}`);
  }

  function write(kind: Kind, text: string): string {
    const before = item?.kind === kind ? '' : open(kind);
    if (item === undefined) return before;
    const began = begin(item);
    item.text += text;
    const { delta, place } = WRITES[kind];
    return before + began + send(delta, `${item.where}${place}"delta":${JSON.stringify(text)}`);
  }

  function close(status: ItemStatus): string {
    if (item === undefined) return '';
    const done = item;
    item = undefined;
    const json = itemJson(done, status);
    const index = output.length;
    output.push(json);
    return closeText(done) + send('response.output_item.done', `"output_index":${index},"item":${json}`);
  }

  function closeText(done: OpenItem): string {
    if (!done.begun) return '';
    const { done: type, field, place } = WRITES[done.kind];
    const name = done.kind === 'tool-call' ? `"name":${JSON.stringify(done.call.name)},` : '';
    const text = send(type, `${done.where}${place}${name}"${field}":${JSON.stringify(done.text)}`);
    if (done.kind === 'tool-call') return text;
    if (done.kind === 'reasoning') return text + send('response.reasoning_summary_part.done', `${done.where}"summary_index":0,"part":${JSON.stringify({ type: 'summary_text', text: done.text })}`);
    return text + send('response.content_part.done', `${done.where}"content_index":0,"part":${JSON.stringify(toContentPart(done.kind, done.text))}`);
  }

  /** A signature belongs to the reasoning before it, and ends it. */
  function seal(fields: { signature: string } | { redacted: string }): string {
    const before = item?.kind === 'reasoning' && !('redacted' in fields) ? '' : open('reasoning');
    if (item !== undefined) Object.assign(item, fields);
    return before + close('completed');
  }

  function fail(event: Extract<NeutralEvent, { type: 'error' }>): string {
    closed = true;
    const before = close('incomplete');
    const { error } = toOpenAiStreamError(event);
    return `${before}${send('response.failed', `"response":${envelope({ failure: event, usage, output })}`)}${send('error', `"code":${JSON.stringify(error.code)},"message":${JSON.stringify(error.message)},"param":null`)}`;
  }

  function finish(event: Extract<NeutralEvent, { type: 'finish' }>): string {
    closed = true;
    const incomplete = isIncomplete(event.reason);
    const before = close(incomplete ? 'incomplete' : 'completed');
    return before + send(incomplete ? 'response.incomplete' : 'response.completed', `"response":${envelope({ finish: event.reason, usage, output })}`);
  }

  function body(event: NeutralEvent): string {
    switch (event.type) {
      case 'text': case 'refusal': case 'reasoning': return write(event.type, event.text);
      case 'reasoning-signature': return seal({ signature: event.signature });
      case 'reasoning-redacted': return seal({ redacted: event.data });
      case 'tool-start': return open('tool-call', { id: event.id, name: event.name });
      case 'tool-arguments': return item?.kind === 'tool-call' ? write('tool-call', event.text) : '';
      case 'tool-end': return close('completed');
      case 'usage': ({ usage } = event); return '';
      case 'finish': return finish(event);
      case 'error': return fail(event);
      case 'start': return '';
    }
  }

  return {
    encode(event) {
      if (closed) return '';
      if (opened) return body(event);
      opened = true;
      const begun = envelope({ output: [] });
      return send('response.created', `"response":${begun}`) + send('response.in_progress', `"response":${begun}`) + body(event);
    },
  };
}
