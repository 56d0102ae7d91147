// An answer while it arrives: the AI SDK's UI message chunks, folded into the parts that the server stores of them.
import type { UIMessageChunk } from 'ai';
import type { MessageMetadata, MessagePart, ShownRun } from '../../../src/contract/threads.ts';

export type AnswerChunk = UIMessageChunk<MessageMetadata, { job: ShownRun }>;

export interface LiveAnswer {
  /** Undefined until the stream says which message it writes. */
  readonly id: string | undefined;
  readonly parts: readonly MessagePart[];
  readonly metadata: MessageMetadata;
  /** How it ended; undefined while it is being written. */
  readonly end: 'done' | 'stopped' | 'failed' | undefined;
}

export const NO_ANSWER: LiveAnswer = { id: undefined, parts: [], metadata: {}, end: undefined };

/** Chunks of a kind that is not known here change nothing. */
export function applyChunk(answer: LiveAnswer, chunk: AnswerChunk): LiveAnswer {
  switch (chunk.type) {
    case 'start':
      return {
        ...answer,
        id: chunk.messageId ?? answer.id,
        metadata: { ...answer.metadata, ...chunk.messageMetadata },
      };
    case 'text-start':
      return { ...answer, parts: [...answer.parts, { type: 'text', text: '' }] };
    case 'reasoning-start':
      return { ...answer, parts: [...answer.parts, { type: 'reasoning', text: '' }] };
    case 'text-delta':
    case 'reasoning-delta':
      return { ...answer, parts: extendLast(answer.parts, chunk.delta) };
    case 'data-job':
      return { ...answer, parts: [...answer.parts, { type: 'data-job', data: chunk.data }] };
    case 'message-metadata':
      return { ...answer, metadata: { ...answer.metadata, ...chunk.messageMetadata } };
    case 'finish':
      return { ...answer, metadata: { ...answer.metadata, ...chunk.messageMetadata }, end: 'done' };
    case 'abort':
      return { ...answer, end: 'stopped' };
    case 'error':
      return { ...answer, end: 'failed' };
    default:
      return answer;
  }
}

function extendLast(parts: readonly MessagePart[], delta: string): readonly MessagePart[] {
  const last = parts.at(-1);
  return last !== undefined && 'text' in last ? [...parts.slice(0, -1), { ...last, text: last.text + delta }] : parts;
}

/** Undefined for the line that only says that the stream is over, and for what is no chunk at all. */
export function readChunk(data: string): AnswerChunk | undefined {
  if (data === '[DONE]') return undefined;
  try {
    const chunk = JSON.parse(data) as unknown;
    return chunk !== null && typeof chunk === 'object' && 'type' in chunk ? (chunk as AnswerChunk) : undefined;
  } catch {
    return undefined;
  }
}
