// An answer as a stream of Chat Completions: the role first or with the first piece, calls one after another or side
// by side by their index, several in one chunk, usage beside the end or in a chunk of its own.
// https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events
import type { Block, Frame, StreamedAnswer } from './answer.ts';
import type { Chance } from './chance.ts';

type Delta = Readonly<Record<string, unknown>>;

export function chatStream(answer: StreamedAnswer, chance: Chance): Frame[] {
  const { usage } = answer;
  const counts = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
  const head = { id: answer.id, object: 'chat.completion.chunk', created: 1, model: answer.model };
  const chunk = (delta: Delta, more: object = {}): Frame => ({
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }],
      ...(chance.oneIn(2) ? { usage: null } : {}),
      ...(chance.oneIn(3) ? { obfuscation: 'xyz' } : {}),
    },
  });

  const deltas = joinSome(blockDeltas(answer.blocks, chance), chance);
  const first: Delta = { role: 'assistant', content: chance.oneIn(2) ? '' : null, refusal: null };
  const frames = chance.oneIn(3) && deltas[0] ? [chunk({ ...first, ...deltas.shift() })] : [chunk(first)];
  for (const delta of deltas) frames.push(...(chance.oneIn(6) ? [chunk({})] : []), chunk(delta));
  const reason = answer.cut ? 'length' : answer.blocks.some(({ kind }) => kind === 'tool') ? 'tool_calls' : 'stop';
  // Servers of others say it beside the end; OpenAI in a chunk without choices.
  if (chance.oneIn(3))
    frames.push({ data: { ...head, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage: counts } });
  else frames.push(chunk({}, { finish_reason: reason }), { data: { ...head, choices: [], usage: counts } });
  return [...frames, { data: '[DONE]' }];
}

/** A run of neighbouring calls may be written side by side: each is begun in its turn, its arguments come when they come. */
function blockDeltas(blocks: readonly Block[], chance: Chance): Delta[] {
  const deltas: Delta[] = [];
  let call = 0;
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block?.kind === 'text') deltas.push(...chance.pieces(block.text).map((content) => ({ content })));
    else if (block?.kind === 'thinking')
      deltas.push(...chance.pieces(block.text).map((text) => ({ reasoning_content: text })));
    else if (block) {
      const pieces = chance
        .pieces(block.arguments)
        .map((text) => ({ tool_calls: [{ index: call, function: { arguments: text } }] }));
      const start = {
        tool_calls: [{ index: call, id: block.id, type: 'function', function: { name: block.name, arguments: '' } }],
      };
      call += 1;
      const next = blocks[at + 1];
      if (next?.kind === 'tool' && chance.oneIn(2)) {
        const nextStart = {
          tool_calls: [{ index: call, id: next.id, type: 'function', function: { name: next.name, arguments: '' } }],
        };
        const nextPieces = chance
          .pieces(next.arguments)
          .map((text) => ({ tool_calls: [{ index: call, function: { arguments: text } }] }));
        deltas.push(start, ...chance.interleave([pieces, [nextStart, ...nextPieces]]));
        call += 1;
        at += 1;
      } else deltas.push(start, ...pieces);
    }
  }
  return deltas;
}

/** Pieces of two calls may share a chunk. */
function joinSome(deltas: Delta[], chance: Chance): Delta[] {
  const joined: Delta[] = [];
  for (const delta of deltas) {
    const last = joined.at(-1);
    const [calls, before] = [
      delta['tool_calls'] as { index: number }[] | undefined,
      last?.['tool_calls'] as { index: number }[] | undefined,
    ];
    if (calls && before && !before.some(({ index }) => index === calls[0]?.index) && chance.oneIn(2))
      joined[joined.length - 1] = { tool_calls: [...before, ...calls] };
    else joined.push(delta);
  }
  return joined;
}
