// An answer as the AI SDK's UI message stream: the chunks sent to the browser and the parts that are stored. Both are
// built here, so that a reloaded answer is the same as the streamed one.
import type { UIMessageChunk } from 'ai';
import type { MessageMetadata, MessagePart, ShownRun } from '../contract/threads.ts';
import type { NeutralEvent } from '../model-providers/codecs/neutral.ts';
import { FAILURE_SENTENCES } from '../model-providers/codecs/provider-failures.ts';

export type AnswerChunk = UIMessageChunk<MessageMetadata, { job: ShownRun }>;

export const UI_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
} as const;

export const UI_STREAM_END = 'data: [DONE]\n\n';

/** One event, whose id is what `Last-Event-ID` refers to. `line` is the chunk's JSON. */
export function formatChunk(seq: number, line: string): string {
  return `id: ${seq}\ndata: ${line}\n\n`;
}

type Block = 'text' | 'reasoning';

export interface UiEncoder {
  /** The chunks for the event. The end of the answer is not handled here. */
  encode(event: NeutralEvent): AnswerChunk[];
  /** Closes everything that is open. */
  close(): AnswerChunk[];
}

/** A refusal is shown as text. Direct answers offer no tools, so tool calls are ignored. */
export function createUiEncoder(now: () => number = Date.now): UiEncoder {
  let open: Block | undefined;
  let openedAt = 0;
  let blocks = 0;

  function close(): AnswerChunk[] {
    if (open === undefined) return [];
    const chunk: AnswerChunk =
      open === 'reasoning'
        ? { type: 'reasoning-end', id: String(blocks), providerMetadata: { service: { durationMs: now() - openedAt } } }
        : { type: 'text-end', id: String(blocks) };
    open = undefined;
    return [chunk];
  }

  function say(block: Block, delta: string): AnswerChunk[] {
    if (delta === '') return [];
    const chunks: AnswerChunk[] = [];
    if (open !== block) {
      chunks.push(...close());
      open = block;
      openedAt = now();
      blocks += 1;
      chunks.push({ type: `${block}-start`, id: String(blocks) });
    }
    chunks.push({ type: `${block}-delta`, id: String(blocks), delta });
    return chunks;
  }

  return {
    encode(event) {
      if (event.type === 'text' || event.type === 'refusal') return say('text', event.text);
      return event.type === 'reasoning' ? say('reasoning', event.text) : [];
    },
    close,
  };
}

export type AnswerEnd = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'stopped' | 'error';

export const INTERRUPTED = { code: 'unavailable', message: FAILURE_SENTENCES.stopping } as const;

/** The last chunks of an answer, by how it ended. */
export function endChunks(metadata: MessageMetadata & { finish: AnswerEnd }): AnswerChunk[] {
  switch (metadata.finish) {
    case 'stopped':
      return [
        { type: 'message-metadata', messageMetadata: metadata },
        { type: 'abort', reason: 'stopped' },
      ];
    case 'error':
      return [
        { type: 'message-metadata', messageMetadata: metadata },
        { type: 'error', errorText: metadata.error?.message ?? '' },
      ];
    default:
      return [{ type: 'finish', finishReason: metadata.finish, messageMetadata: metadata }];
  }
}

export interface PartCollector {
  add(chunk: AnswerChunk): void;
  parts(): MessagePart[];
}

/** The stored form of an answer. PostgreSQL accepts neither NUL characters nor lone surrogates. */
export function createPartCollector(): PartCollector {
  const blocks: { type: Block; texts: string[]; durationMs?: number }[] = [];
  const runs: MessagePart[] = [];
  return {
    add(chunk) {
      if (chunk.type === 'text-start') blocks.push({ type: 'text', texts: [] });
      else if (chunk.type === 'reasoning-start') blocks.push({ type: 'reasoning', texts: [] });
      else if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') blocks.at(-1)?.texts.push(chunk.delta);
      else if (chunk.type === 'reasoning-end') {
        const last = blocks.at(-1);
        const durationMs = chunk.providerMetadata?.['service']?.['durationMs'];
        if (last !== undefined && typeof durationMs === 'number') last.durationMs = durationMs;
      }
      // The state of a run is looked up whenever the thread is read.
      else if (chunk.type === 'data-job')
        runs.push({ type: 'data-job', data: { id: chunk.data.id, objective: chunk.data.objective } });
    },
    parts: () => [
      ...blocks.map(({ texts, ...block }) => ({
        ...block,
        text: texts.join('').replaceAll('\0', '').toWellFormed(),
      })),
      ...runs,
    ],
  };
}
