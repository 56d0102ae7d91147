// What a provider's events come to in an answer of the web app: its chunks, and how it ends. The first end counts; what
// comes after it is not read.
import type { Failure, NeutralEvent } from '../providers/codecs/neutral.ts';
import { asSeen, failureRow } from '../providers/codecs/provider-failures.ts';
import { type AnswerChunk, type AnswerEnd, createUiEncoder } from './encode-ui-stream.ts';

/** A model writes less; whatever sends more is cut off. A piece weighs something however short it is. */
const MOST_BYTES = 6 * 1024 * 1024;
const PIECE_BYTES = 16;

/** Why the provider is not read to its end. */
export type Early = 'stopped' | 'interrupted' | 'failed' | 'gone';

const BROKEN = {
  code: 'provider_unavailable',
  message: 'The provider broke off before the answer was complete.',
} as const;
const TOO_LONG = { code: 'provider_unavailable', message: 'The provider sent more than an answer can be.' } as const;
const INTERRUPTED = {
  code: 'unavailable',
  message: 'The answer broke off because the service was restarted. Ask again to get it whole.',
} as const;

/** Whether it was the organization's key that was rejected is said before an answer begins, never in it. */
function toldOf({ kind, message }: Failure): { code: string; message: string } {
  return { code: failureRow(kind === 'authentication' ? 'other' : kind).error, message };
}

export interface HowItEnded {
  readonly finish: AnswerEnd;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface AnswerCourse {
  /** Aborted when nothing more is wanted of the provider. */
  readonly gone: AbortSignal;
  take(events: readonly NeutralEvent[], ownsAccount: boolean): AnswerChunk[];
  /** Ends the call of the provider, for the first reason that is given. */
  leave(why: Early): void;
  /** The answer is whole without a provider. */
  complete(): void;
  /** The chunks that close what is open. */
  close(): AnswerChunk[];
  howItEnded(): HowItEnded;
}

export function openAnswerCourse(): AnswerCourse {
  const gone = new AbortController();
  const encoder = createUiEncoder();
  let early: Early | undefined;
  let ended: HowItEnded | undefined;
  let bytes = 0;

  const leave = (why: Early): void => {
    early ??= why;
    gone.abort();
  };
  /** What a provider still sends after a failure is not waited for. */
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
        if (event.type === 'error') fail(toldOf(asSeen(event, ownsAccount)));
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
    howItEnded() {
      if (ended) return ended;
      if (early === 'stopped') return { finish: 'stopped' };
      return { finish: 'error', error: early === 'interrupted' ? INTERRUPTED : BROKEN };
    },
  };
}
