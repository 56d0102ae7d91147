// OpenAI may interleave several tool calls; the neutral form, like Anthropic's, has one open block at a time. The first
// call streams; others wait until its arguments are a complete JSON object, until it is reported done, or until the
// answer ends. With a provider that writes calls one after another nothing ever waits.
import type { NeutralEvent } from './neutral.ts';

type FlowEvent = Extract<NeutralEvent, { type: 'text' | 'refusal' | 'reasoning' }>;

interface Call {
  readonly key: number;
  readonly id: string;
  readonly name: string;
  index: number;
  text: string;
  ended: boolean;
}

export interface BlockOrder {
  readonly calls: number;
  flow(event: FlowEvent): void;
  start(key: number, id: string, name: string): void;
  arguments(key: number, text: string): void;
  end(key: number): void;
  endAll(): void;
  /** The call last started under a key. */
  find(key: number): { readonly id: string; readonly text: string } | undefined;
}

export function createBlockOrder(emit: (event: NeutralEvent) => void): BlockOrder {
  let open: Call | undefined;
  let waiting: (Call | FlowEvent)[] = [];
  const latest = new Map<number, Call>();
  let calls = 0;

  function begin(call: Call): void {
    call.index = calls;
    calls += 1;
    open = call;
    emit({ type: 'tool-start', index: call.index, id: call.id, name: call.name });
    if (call.text !== '') emit({ type: 'tool-arguments', index: call.index, text: call.text });
  }

  function close(call: Call): void {
    if (call.text === '') emit({ type: 'tool-arguments', index: call.index, text: '{}' });
    emit({ type: 'tool-end', index: call.index });
    call.ended = true;
    open = undefined;
  }

  function advance(): void {
    if (open?.ended) close(open);
    let taken = 0;
    while (open === undefined && taken < waiting.length) {
      const next = waiting[taken];
      taken += 1;
      if (next === undefined) break;
      if ('type' in next) emit(next);
      else {
        begin(next);
        if (next.ended) close(next);
      }
    }
    if (taken > 0) waiting = waiting.slice(taken);
  }

  function makeRoom(): void {
    if (open !== undefined && waiting.length === 0 && isWhole(open.text)) close(open);
  }

  return {
    get calls() {
      return calls;
    },
    flow(event) {
      makeRoom();
      if (open === undefined) emit(event);
      else hold(waiting, event);
    },
    start(key, id, name) {
      makeRoom();
      const call: Call = { key, id, name, index: 0, text: '', ended: false };
      latest.set(key, call);
      if (open === undefined) begin(call);
      else waiting.push(call);
    },
    arguments(key, text) {
      const call = latest.get(key);
      if (call === undefined || call.ended || text === '') return;
      call.text += text;
      if (call === open) emit({ type: 'tool-arguments', index: call.index, text });
    },
    end(key) {
      const call = latest.get(key);
      if (call === undefined || call.ended) return;
      call.ended = true;
      if (call === open) advance();
    },
    endAll() {
      if (open !== undefined) open.ended = true;
      for (const item of waiting) if (!('type' in item)) item.ended = true;
      advance();
    },
    find: (key) => latest.get(key),
  };
}

/** Adjacent waiting pieces of one kind are merged. */
function hold(waiting: (Call | FlowEvent)[], event: FlowEvent): void {
  const last = waiting.at(-1);
  if (last !== undefined && 'type' in last && last.type === event.type)
    waiting[waiting.length - 1] = { type: event.type, text: last.text + event.text };
  else waiting.push(event);
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
