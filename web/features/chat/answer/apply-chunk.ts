// Folds the AI SDK's UI message chunks of a streamed answer into the parts that the server stores.
import type { UIMessageChunk } from 'ai';
import type { MessageMetadata, MessagePart, ShownRun } from '../../../../src/contract/threads.ts';

export type AnswerChunk = UIMessageChunk<MessageMetadata, { job: ShownRun }>;

export interface LiveAnswer {
  /** Undefined until the stream names its message. */
  readonly id: string | undefined;
  readonly parts: readonly MessagePart[];
  readonly metadata: MessageMetadata;
  /** How it ended; undefined while it is streaming. */
  readonly end: 'done' | 'stopped' | 'failed' | undefined;
}

export const NO_ANSWER: LiveAnswer = { id: undefined, parts: [], metadata: {}, end: undefined };

/** Unknown chunk types are ignored. */
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
    case 'reasoning-end':
      return { ...answer, parts: endReasoning(answer.parts, chunk.providerMetadata?.['service']?.['durationMs']) };
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

function endReasoning(parts: readonly MessagePart[], durationMs: unknown): readonly MessagePart[] {
  const last = parts.at(-1);
  return last?.type === 'reasoning' && typeof durationMs === 'number'
    ? [...parts.slice(0, -1), { ...last, durationMs }]
    : parts;
}

/** Undefined for the line that ends the stream and for anything that is not a chunk. */
export function readChunk(data: string): AnswerChunk | undefined {
  if (data === '[DONE]') return undefined;
  try {
    const chunk = JSON.parse(data) as unknown;
    return chunk !== null && typeof chunk === 'object' && 'type' in chunk ? (chunk as AnswerChunk) : undefined;
  } catch {
    return undefined;
  }
}
