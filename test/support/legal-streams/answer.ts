// One answer of a model, apart from how it is streamed, and the neutral events that every legal stream of it means.
import type { FinishReason, NeutralEvent } from '../../../src/model-providers/codecs/neutral.ts';

export type Block =
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly arguments: string };

export interface StreamedAnswer {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number };
  readonly cut: boolean;
}

export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

/** What is left of events when it does not matter into how many pieces they were cut. */
export interface Meant {
  readonly id: string;
  readonly model: string;
  readonly parts: readonly string[];
  readonly usage: readonly number[];
  readonly finish: FinishReason | 'error' | undefined;
}

export function meaningOf(events: readonly NeutralEvent[]): Meant {
  const parts: string[] = [];
  let [id, model, open] = ['', '', ''];
  let usage: readonly number[] = [];
  let finish: Meant['finish'];
  const add = (kind: string, text: string): void => {
    if (text === '') return;
    if (open === kind) parts.push(`${parts.pop() ?? ''}${text}`);
    else parts.push(`${kind}: ${text}`);
    open = kind;
  };
  for (const event of events) {
    if (event.type === 'start') [id, model] = [event.id, event.model];
    else if (event.type === 'text' || event.type === 'reasoning') add(event.type, event.text);
    else if (event.type === 'tool-start') {
      open = '';
      add(`tool ${event.index} ${event.id} ${event.name}`, ' ');
    } else if (event.type === 'tool-arguments') parts.push(`${parts.pop() ?? ''}${event.text}`);
    else if (event.type === 'tool-end') open = '';
    else if (event.type === 'usage' && event.final)
      usage = [event.usage.inputTokens, event.usage.cacheReadTokens, event.usage.outputTokens];
    else if (event.type === 'finish') finish = event.reason;
    else if (event.type === 'error') finish = 'error';
  }
  return { id, model, parts, usage, finish };
}

export function meaningOfAnswer({ id, model, blocks, usage, cut }: StreamedAnswer): Meant {
  const parts: string[] = [];
  let calls = 0;
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'tool') parts.push(`tool ${calls++} ${block.id} ${block.name}:  ${block.arguments}`);
    else {
      const kind = block.kind === 'thinking' ? 'reasoning' : 'text';
      if (blocks[at - 1]?.kind === block.kind) parts.push(`${parts.pop() ?? ''}${block.text}`);
      else parts.push(`${kind}: ${block.text}`);
    }
  }
  return {
    id,
    model,
    parts,
    usage: [usage.input, usage.cached, usage.output],
    finish: cut ? 'length' : calls > 0 ? 'tool-calls' : 'stop',
  };
}
