// The event sequence of the Responses API. Each item is opened, written and closed before the next; the text of the
// open one is kept, because closing events repeat it.
import { findOrigin } from '../name-tools.ts';
import type { NeutralEvent, StreamEncoder, ToolOrigin, TypedTool, Usage } from '../neutral.ts';
import { createTextReader, type TextReader } from '../text-tools.ts';
import {
  itemId,
  toCallItem,
  toCompactionItem,
  toContentPart,
  toOutputItem,
  type ItemKind,
  type ItemStatus,
} from './output-items.ts';
import { createEnvelope, errorFields, isIncomplete, type ResponsesAnswer } from './response-envelope.ts';
import { TYPED_TOOLS } from './typed-tools.ts';

/** A typed tool's call and a compaction have no events of their own: they are announced and sent whole. */
type Written = Exclude<ItemKind, TypedTool | 'compaction'>;

/** The event names for each kind of item. */
const WRITES = {
  text: {
    delta: 'response.output_text.delta',
    done: 'response.output_text.done',
    field: 'text',
    place: '"content_index":0,"logprobs":[],',
  },
  refusal: {
    delta: 'response.refusal.delta',
    done: 'response.refusal.done',
    field: 'refusal',
    place: '"content_index":0,',
  },
  reasoning: {
    delta: 'response.reasoning_summary_text.delta',
    done: 'response.reasoning_summary_text.done',
    field: 'text',
    place: '"summary_index":0,',
  },
  function: {
    delta: 'response.function_call_arguments.delta',
    done: 'response.function_call_arguments.done',
    field: 'arguments',
    place: '',
  },
  custom: {
    delta: 'response.custom_tool_call_input.delta',
    done: 'response.custom_tool_call_input.done',
    field: 'input',
    place: '',
  },
} as const satisfies Record<Written, { delta: string; done: string; field: string; place: string }>;

interface OpenCall {
  readonly id: string;
  readonly origin: ToolOrigin;
  /** The arguments as the model writes them. */
  json: string;
  readonly reader: TextReader | undefined;
}

interface OpenItem {
  readonly kind: ItemKind;
  readonly id: string;
  /** `"item_id":…,"output_index":…,` */
  readonly where: string;
  readonly call: OpenCall | undefined;
  /** What was written: the text of a custom tool's call, the arguments of any other. */
  text: string;
  signature: string | undefined;
  redacted: string | undefined;
  begun: boolean;
}

/** One event, with the next sequence number. */
type Send = (type: string, fields: string) => string;

interface ItemWriter {
  /** The closed items, each as JSON. */
  readonly output: readonly string[];
  write(kind: Written, text: string): string;
  writeSummary(text: string): string;
  openCall(id: string, name: string): string;
  writeCall(json: string): string;
  seal(fields: { signature: string } | { redacted: string }): string;
  close(status: ItemStatus): string;
}

function createItemWriter(answer: ResponsesAnswer, send: Send): ItemWriter {
  const output: string[] = [];
  let item: OpenItem | undefined;

  function open(kind: ItemKind, call?: OpenCall): string {
    const before = close('completed');
    const id = itemId(kind, answer.id, output.length);
    item = {
      kind,
      id,
      where: `"item_id":${JSON.stringify(id)},"output_index":${output.length},`,
      call,
      text: '',
      signature: undefined,
      redacted: undefined,
      begun: false,
    };
    const empty =
      kind === 'text' || kind === 'refusal'
        ? JSON.stringify({ id, type: 'message', status: 'in_progress', role: 'assistant', content: [] })
        : itemJson(item, 'in_progress');
    return before + send('response.output_item.added', `"output_index":${output.length},"item":${empty}`);
  }

  function openCall(id: string, name: string): string {
    const origin = findOrigin(answer.tools, name);
    return open(origin.kind, {
      id,
      origin,
      json: '',
      reader: origin.kind === 'custom' ? createTextReader() : undefined,
    });
  }

  function writeCall(json: string): string {
    const call = item?.call;
    if (call === undefined) return '';
    call.json += json;
    if (call.reader !== undefined) return writeFilled('custom', call.reader.feed(json));
    return call.origin.kind === 'function' ? write('function', json) : '';
  }

  const writeFilled = (kind: Written, text: string): string => (text === '' ? '' : write(kind, text));

  function write(kind: Written, text: string): string {
    const before = item?.kind === kind ? '' : open(kind);
    if (item === undefined) return before;
    const began = beginPart(item, send);
    item.text += text;
    const { delta, place } = WRITES[kind];
    return before + began + send(delta, `${item.where}${place}"delta":${JSON.stringify(text)}`);
  }

  /** All text of the answer is the one summary. */
  function writeSummary(text: string): string {
    const before = item?.kind === 'compaction' ? '' : open('compaction');
    if (item !== undefined) item.text += text;
    return before;
  }

  function close(status: ItemStatus): string {
    if (item === undefined) return '';
    const rest = item.call?.reader === undefined ? '' : writeFilled('custom', item.call.reader.end());
    const done = item;
    item = undefined;
    const json = itemJson(done, status);
    const index = output.length;
    output.push(json);
    return rest + endPart(done, send) + send('response.output_item.done', `"output_index":${index},"item":${json}`);
  }

  /** A signature belongs to the reasoning before it, and ends it. */
  function seal(fields: { signature: string } | { redacted: string }): string {
    const before = item?.kind === 'reasoning' && !('redacted' in fields) ? '' : open('reasoning');
    if (item !== undefined) Object.assign(item, fields);
    return before + close('completed');
  }

  return { output, write, writeSummary, openCall, writeCall, seal, close };
}

function itemJson(open: OpenItem, status: ItemStatus): string {
  const { kind, id, text, signature, redacted, call } = open;
  if (call !== undefined) return JSON.stringify(toCallItem(call, id, status));
  if (kind === 'compaction') return JSON.stringify(toCompactionItem(text, id));
  return JSON.stringify(
    toOutputItem(
      kind === 'reasoning'
        ? { type: 'reasoning', text, signature, redacted }
        : { type: kind === 'refusal' ? 'refusal' : 'text', text },
      id,
      status,
    ),
  );
}

/** The part of a message or summary, announced before its first piece. */
function beginPart(open: OpenItem, send: Send): string {
  if (open.begun) return '';
  open.begun = true;
  if (open.call !== undefined) return '';
  if (open.kind === 'reasoning')
    return send(
      'response.reasoning_summary_part.added',
      `${open.where}"summary_index":0,"part":{"type":"summary_text","text":""}`,
    );
  return send(
    'response.content_part.added',
    `${open.where}"content_index":0,"part":${JSON.stringify(toContentPart(open.kind === 'refusal' ? 'refusal' : 'text', ''))}`,
  );
}

function endPart({ kind, call, begun, text, where }: OpenItem, send: Send): string {
  if (kind !== 'custom' && !begun) return '';
  if (kind in TYPED_TOOLS) return '';
  const { done, field, place } = WRITES[kind as Written];
  const name = kind === 'function' && call !== undefined ? `"name":${JSON.stringify(call.origin.name)},` : '';
  const ended = send(done, `${where}${place}${name}"${field}":${JSON.stringify(text)}`);
  if (call !== undefined) return ended;
  if (kind === 'reasoning')
    return (
      ended +
      send(
        'response.reasoning_summary_part.done',
        `${where}"summary_index":0,"part":${JSON.stringify({ type: 'summary_text', text })}`,
      )
    );
  return (
    ended +
    send(
      'response.content_part.done',
      `${where}"content_index":0,"part":${JSON.stringify(toContentPart(kind === 'refusal' ? 'refusal' : 'text', text))}`,
    )
  );
}

export function createResponsesStreamEncoder(answer: ResponsesAnswer): StreamEncoder {
  const envelope = createEnvelope(answer);
  let sequence = 0;
  let usage: Usage | undefined;
  let opened = false;
  let closed = false;

  function send(type: string, fields: string): string {
    sequence += 1;
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence - 1},${fields}}\n\n`;
  }

  const { output, write, writeSummary, openCall, writeCall, seal, close } = createItemWriter(answer, send);

  function fail(event: Extract<NeutralEvent, { type: 'error' }>): string {
    closed = true;
    const before = close('incomplete');
    return `${before}${send('response.failed', `"response":${envelope({ failure: event, usage, output })}`)}${send('error', errorFields(event))}`;
  }

  function finish(event: Extract<NeutralEvent, { type: 'finish' }>): string {
    closed = true;
    const incomplete = isIncomplete(event.reason);
    const before = close(incomplete ? 'incomplete' : 'completed');
    return (
      before +
      send(
        incomplete ? 'response.incomplete' : 'response.completed',
        `"response":${envelope({ finish: event.reason, usage, output })}`,
      )
    );
  }

  function body(event: NeutralEvent): string {
    if (answer.compacts && event.type === 'text') return writeSummary(event.text);
    if (answer.compacts && event.type.startsWith('reasoning')) return '';
    switch (event.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
        return write(event.type, event.text);
      case 'reasoning-signature':
        return seal({ signature: event.signature });
      case 'reasoning-redacted':
        return seal({ redacted: event.data });
      case 'tool-start':
        return openCall(event.id, event.name);
      case 'tool-arguments':
        return writeCall(event.text);
      case 'tool-end':
        return close('completed');
      case 'usage':
        ({ usage } = event);
        return '';
      case 'finish':
        return finish(event);
      case 'error':
        return fail(event);
      case 'start':
        return '';
    }
  }

  return {
    encode(event) {
      if (closed) return '';
      if (opened) return body(event);
      opened = true;
      const begun = envelope({ output: [] });
      return (
        send('response.created', `"response":${begun}`) +
        send('response.in_progress', `"response":${begun}`) +
        body(event)
      );
    },
  };
}
