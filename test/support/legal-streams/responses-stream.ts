// An answer as a stream of Responses: every event that text, reasoning and calls come with, those of a tool that the
// provider runs in between, calls one after another or side by side.
// https://developers.openai.com/api/reference/resources/responses/streaming-events
import { sealText } from '../../../stand-ins/models/rules/sealed-content.ts';
import type { Block, Frame, StreamedAnswer } from './answer.ts';
import type { Chance } from './chance.ts';

type Event = readonly [type: string, fields: Readonly<Record<string, unknown>>];
type Item = Readonly<Record<string, unknown>>;

export function responsesStream(answer: StreamedAnswer, chance: Chance): Frame[] {
  const { usage } = answer;
  const shell = {
    id: answer.id,
    object: 'response',
    created_at: 1,
    model: answer.model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    tools: [],
    tool_choice: 'auto',
    output: [] as Item[],
    usage: null,
  };
  const events: Event[] = [['response.created', { response: { ...shell, status: 'in_progress' } }]];
  if (chance.oneIn(4)) events.push(['response.queued', { response: { ...shell, status: 'queued' } }]);
  events.push(['response.in_progress', { response: { ...shell, status: 'in_progress' } }]);
  const output: Item[] = [];
  for (let at = 0; at < answer.blocks.length; at++) {
    if (chance.oneIn(6)) events.push(...searchEvents(output));
    const [block, next] = [answer.blocks[at], answer.blocks[at + 1]];
    if (!block) continue;
    const own = blockEvents(block, output, chance);
    if (block.kind === 'tool' && next?.kind === 'tool' && chance.oneIn(2)) {
      const [start, ...rest] = own;
      if (start) events.push(start);
      events.push(...chance.interleave([rest, blockEvents(next, output, chance)]));
      at += 1;
    } else events.push(...own);
  }
  const status = answer.cut ? 'incomplete' : 'completed';
  const counts = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
  events.push([
    `response.${status}`,
    {
      response: {
        ...shell,
        status,
        output,
        usage: counts,
        incomplete_details: answer.cut ? { reason: 'max_output_tokens' } : null,
      },
    },
  ]);
  return events.map(([type, fields], number) => ({ event: type, data: { type, sequence_number: number, ...fields } }));
}

function blockEvents(block: Block, output: Item[], chance: Chance): Event[] {
  const index = output.length;
  const write = { text: textEvents, thinking: thinkingEvents, tool: callEvents };
  const { item, inside } = write[block.kind](block as never, index, chance);
  output.push(item);
  const begun = {
    ...item,
    status: 'in_progress',
    ...(block.kind === 'tool' ? { arguments: '' } : block.kind === 'text' ? { content: [] } : { summary: [] }),
  };
  return [
    ['response.output_item.added', { output_index: index, item: begun }],
    ...inside,
    ['response.output_item.done', { output_index: index, item }],
  ];
}

interface Written {
  readonly item: Item;
  readonly inside: Event[];
}

function textEvents({ text }: { text: string }, index: number, chance: Chance): Written {
  const id = `msg_${index}`;
  const at = { item_id: id, output_index: index, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const deltas = chance
    .pieces(text)
    .map((delta): Event => ['response.output_text.delta', { ...at, delta, logprobs: [] }]);
  const noted: Event[] = chance.oneIn(4)
    ? [
        [
          'response.output_text.annotation.added',
          { ...at, annotation_index: 0, annotation: { type: 'url_citation', url: 'https://example.test' } },
        ],
      ]
    : [];
  return {
    item: { id, type: 'message', role: 'assistant', status: 'completed', content: [part] },
    inside: [
      ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
      ...chance.interleave([deltas, noted]),
      ['response.output_text.done', { ...at, text, logprobs: [] }],
      ['response.content_part.done', { ...at, part }],
    ],
  };
}

function thinkingEvents({ text }: { text: string }, index: number, chance: Chance): Written {
  const id = `rs_${index}`;
  const at = { item_id: id, output_index: index, summary_index: 0 };
  const part = { type: 'summary_text', text };
  const deltas = chance.pieces(text).map((delta): Event => ['response.reasoning_summary_text.delta', { ...at, delta }]);
  return {
    item: { id, type: 'reasoning', status: 'completed', summary: [part], encrypted_content: sealText(text) },
    inside: [
      ['response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }],
      ...deltas,
      ['response.reasoning_summary_text.done', { ...at, text }],
      ['response.reasoning_summary_part.done', { ...at, part }],
    ],
  };
}

/** Short arguments may come whole, without pieces before. */
function callEvents(block: Extract<Block, { kind: 'tool' }>, index: number, chance: Chance): Written {
  const id = `fc_${index}`;
  const at = { item_id: id, output_index: index };
  const pieces = chance.oneIn(5) ? [] : chance.pieces(block.arguments);
  return {
    item: {
      id,
      type: 'function_call',
      status: 'completed',
      call_id: block.id,
      name: block.name,
      arguments: block.arguments,
    },
    inside: [
      ...pieces.map((delta): Event => ['response.function_call_arguments.delta', { ...at, delta }]),
      ['response.function_call_arguments.done', { ...at, name: block.name, arguments: block.arguments }],
    ],
  };
}

function searchEvents(output: Item[]): Event[] {
  const index = output.length;
  const item = {
    id: `ws_${index}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'x' },
  };
  output.push(item);
  const at = { item_id: item.id, output_index: index };
  return [
    ['response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } }],
    ['response.web_search_call.in_progress', at],
    ['response.web_search_call.searching', at],
    ['response.web_search_call.completed', at],
    ['response.output_item.done', { output_index: index, item }],
  ];
}
