// Turns a provider's events into an answer of the web app: its chunks, and how it ends. Only the first end counts;
// events after it are ignored.
import type { Failure, NeutralEvent } from '../model-providers/codecs/neutral.ts';
import { failureForClient, failureRow } from '../model-providers/codecs/provider-failures.ts';
import { type AnswerChunk, type AnswerEnd, createUiEncoder, INTERRUPTED } from './encode-ui-stream.ts';

/**
 * No model writes this much; a provider that sends more is cut off. Every piece counts for something, however short.
 */
const MOST_BYTES = 6 * 1024 * 1024;
const PIECE_BYTES = 16;

/** Why reading stopped before the provider's end. */
export type Early = 'stopped' | 'interrupted' | 'failed' | 'gone';

const BROKEN = {
  code: 'provider_unavailable',
  message: 'The provider ended the connection before the answer was complete.',
} as const;
const TOO_LONG = { code: 'provider_unavailable', message: 'The provider sent an answer that is too long.' } as const;

/** A rejected key of the organization is reported before an answer begins, never within it. */
function errorFor({ kind, message }: Failure): { code: string; message: string } {
  return { code: failureRow(kind === 'authentication' ? 'other' : kind).error, message };
}

interface AnswerOutcome {
  readonly finish: AnswerEnd;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface AnswerCourse {
  /** Aborted when nothing more is needed from the provider. */
  readonly gone: AbortSignal;
  take(events: readonly NeutralEvent[], ownsAccount: boolean): AnswerChunk[];
  /** Ends the call to the provider. Only the first reason counts. */
  leave(why: Early): void;
  /** The answer is complete without a provider. */
  complete(): void;
  /** The chunks that close everything still open. */
  close(): AnswerChunk[];
  outcome(): AnswerOutcome;
}

export function openAnswerCourse(): AnswerCourse {
  const gone = new AbortController();
  const encoder = createUiEncoder();
  let early: Early | undefined;
  let ended: AnswerOutcome | undefined;
  let bytes = 0;

  const leave = (why: Early): void => {
    early ??= why;
    gone.abort();
  };
  /** Anything the provider sends after a failure is ignored. */
  const fail = (error: { code: string; message: string }): void => {
    ended ??= { finish: 'error', error };
    leave('failed');
  };

  return {
    gone: gone.signal,
    leave,
    take(events, ownsAccount) {
      const added: AnswerChunk[] = [];
      for (const event of events) {
        if (ended) break;
        if (event.type === 'error') fail(errorFor(failureForClient(event, ownsAccount)));
        else if (event.type === 'finish')
          ended = event.reason === 'error' ? { finish: 'error', error: BROKEN } : { finish: event.reason };
        else
          for (const chunk of encoder.encode(event)) {
            if ('delta' in chunk) bytes += chunk.delta.length + PIECE_BYTES;
            added.push(chunk);
          }
        if (bytes > MOST_BYTES) fail(TOO_LONG);
      }
      return added;
    },
    complete: () => void (ended = { finish: 'stop' }),
    close: () => encoder.close(),
    outcome() {
      if (ended) return ended;
      if (early === 'stopped') return { finish: 'stopped' };
      return { finish: 'error', error: early === 'interrupted' ? INTERRUPTED : BROKEN };
    },
  };
}
