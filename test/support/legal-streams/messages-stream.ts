// An answer as a stream of Anthropic's Messages, in one of the orders that are documented: blocks one after another,
// pings anywhere, usage at the start, at the end, or growing in several places.
// https://platform.claude.com/docs/en/build-with-claude/streaming
import { signThinking } from '../../../stand-ins/models/rules/sealed-content.ts';
import type { Block, Frame, StreamedAnswer } from './answer.ts';
import type { Chance } from './chance.ts';

export function messagesStream(answer: StreamedAnswer, chance: Chance): Frame[] {
  const { usage, blocks } = answer;
  const before = {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
  const frames: Frame[] = [
    frame('message_start', {
      message: {
        id: answer.id,
        type: 'message',
        role: 'assistant',
        model: answer.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...before, output_tokens: 1 },
      },
    }),
  ];
  for (const [index, block] of blocks.entries()) frames.push(...blockFrames(block, index, chance));
  if (chance.oneIn(3))
    frames.push(frame('message_delta', { delta: {}, usage: { output_tokens: Math.ceil(usage.output / 2) } }));
  const reason = answer.cut ? 'max_tokens' : blocks.some(({ kind }) => kind === 'tool') ? 'tool_use' : 'end_turn';
  frames.push(
    frame('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { ...(chance.oneIn(2) ? before : {}), output_tokens: usage.output },
    }),
  );
  const pinged = frames.flatMap((one, at) => (at > 0 && chance.oneIn(4) ? [frame('ping', {}), one] : [one]));
  return [...pinged, frame('message_stop', {})];
}

function blockFrames(block: Block, index: number, chance: Chance): Frame[] {
  const delta = (fields: object): Frame => frame('content_block_delta', { index, delta: fields });
  const stop = frame('content_block_stop', { index });
  if (block.kind === 'text')
    return [
      frame('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      ...chance.pieces(block.text).map((text) => delta({ type: 'text_delta', text })),
      stop,
    ];
  if (block.kind === 'thinking') {
    const start = frame('content_block_start', {
      index,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    });
    return [
      start,
      ...chance.pieces(block.text).map((thinking) => delta({ type: 'thinking_delta', thinking })),
      delta({ type: 'signature_delta', signature: signThinking(block.text) }),
      stop,
    ];
  }
  const pieces = chance.pieces(block.arguments).map((text) => delta({ type: 'input_json_delta', partial_json: text }));
  return [
    frame('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: block.id, name: block.name, input: {} },
    }),
    ...(chance.oneIn(2) ? [delta({ type: 'input_json_delta', partial_json: '' })] : []),
    ...pieces,
    stop,
  ];
}

function frame(event: string, fields: object): Frame {
  return { event, data: { type: event, ...fields } };
}
