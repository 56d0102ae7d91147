// An answer while it is being written. It belongs to the thread, not to the connection that asked for it: chunks go
// to that client at once and to the stream's rows in batches, and only a stop ends it early. However it ends, what
// was written is stored with how it ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { MessageMetadata } from '../contract/threads.ts';
import type { Failure, NeutralEvent } from '../providers/codecs/neutral.ts';
import { PROTOCOLS } from '../providers/codecs/protocols.ts';
import { asSeen, failureRow } from '../providers/codecs/provider-failures.ts';
import type { Database } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { type AnswerReader, readEvents, type Used } from './answer-reader.ts';
import { inputTokensOf, type TurnHead, type TurnSink } from './answer-turn.ts';
import {
  type AnswerChunk,
  type AnswerEnd,
  createPartCollector,
  createUiEncoder,
  endChunks,
  formatChunk,
  UI_STREAM_END,
} from './encode-ui-stream.ts';
import { costOf, usageFromStreamed } from './estimate-cost.ts';
import { ownsAccount } from './read-failure.ts';
import type { BegunTurn } from './threads/begin-turn.ts';
import { appendMessage, noteOnMessage } from './threads/messages.ts';
import { createStreamWriter } from './threads/stream-writer.ts';
import { type Closing, closeStream, STOP_TOPIC } from './threads/streams.ts';

/** The connection that asked. It may leave at any time; nothing here waits for it. */
export interface AnswerClient {
  /** The thread and the message are stored: told before anything else. A refusal before it has stored nothing. */
  stored(turn: Pick<BegunTurn, 'threadId' | 'askedId'>): void;
  begin(head: { readonly credential?: string; readonly provider?: string }): void;
  write(text: string): void;
  end(): void;
}

export interface LiveAnswer extends Omit<TurnSink, 'admitted'> {
  readonly gone: AbortSignal;
  /** Adds to what is known of the turn, before the answer begins. */
  note(metadata: MessageMetadata): void;
  write(chunks: readonly AnswerChunk[]): void;
  /** The answer as it stands is complete, stopped or broken off: stores it and ends every stream of it. */
  finish(inputBytes: number): Promise<FinishedAnswer>;
  /** No answer came to be: the thread is free again, and the message says why it has none. */
  refuse(error: unknown): Promise<void>;
  /** The process is about to end. */
  interrupt(): void;
}

export interface FinishedAnswer {
  readonly head: TurnHead | undefined;
  readonly end: AnswerEnd;
  readonly text: string;
}

export interface LiveDeps {
  readonly db: Database;
  readonly log: Log;
  readonly listener: Listener | undefined;
}

/** A model writes less; whatever sends more is cut off. A piece weighs something however short it is. */
const MOST_BYTES = 6 * 1024 * 1024;
const PIECE_BYTES = 16;
const CLOSE_TRIES = 5;

type Early = 'stopped' | 'interrupted' | 'failed' | 'gone';

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

export function openLiveAnswer({ db, log, listener }: LiveDeps, turn: BegunTurn, client: AnswerClient): LiveAnswer {
  const gone = new AbortController();
  const encoder = createUiEncoder();
  const written = createPartCollector();
  let chunks = 0;
  let early: Early | undefined;
  let head: TurnHead | undefined;
  let metadata: MessageMetadata = {};
  let ended: { finish: AnswerEnd; error?: { code: string; message: string } } | undefined;
  let used: Used | undefined;
  let bytes = 0;

  const leave = (why: Early): void => {
    early ??= why;
    gone.abort();
  };
  const writer = createStreamWriter({
    db,
    log,
    streamId: turn.streamId,
    onState(state) {
      if (state === 'stopping') leave('stopped');
      else if (state !== 'open') leave('gone');
    },
  });
  const unsubscribe = listener?.subscribe(STOP_TOPIC, () => writer.look(), turn.threadId);

  /** To the client at once; the rows follow. */
  function emit(added: readonly AnswerChunk[]): boolean {
    if (added.length === 0) return true;
    const lines = added.map((chunk) => JSON.stringify(chunk));
    client.write(lines.map((line, index) => formatChunk(chunks + index, line)).join(''));
    for (const chunk of added) written.add(chunk);
    chunks += added.length;
    return writer.write(lines);
  }

  function begin(known: TurnHead | undefined): void {
    head = known;
    if (known)
      metadata = {
        ...metadata,
        model: known.route.model.id,
        provider: known.route.provider,
        credential: known.route.credential.kind,
      };
    client.begin(known ? { credential: known.route.credential.kind, provider: known.route.provider } : {});
    emit([{ type: 'start', messageId: turn.messageId, messageMetadata: metadata }]);
  }

  function take(events: readonly NeutralEvent[]): boolean {
    const added: AnswerChunk[] = [];
    for (const event of events) {
      if (ended) break;
      if (event.type === 'error') fail(toldOf(asSeen(event, head !== undefined && ownsAccount(head.route))));
      else if (event.type === 'finish')
        ended = event.reason === 'error' ? { finish: 'error', error: BROKEN } : { finish: event.reason };
      else
        for (const chunk of encoder.encode(event)) {
          if ('delta' in chunk) bytes += chunk.delta.length + PIECE_BYTES;
          added.push(chunk);
        }
      if (bytes > MOST_BYTES) fail(TOO_LONG);
    }
    return emit(added);
  }

  /** What a provider still sends after a failure is not waited for. */
  function fail(error: { code: string; message: string }): void {
    ended ??= { finish: 'error', error };
    leave('failed');
  }

  function howItEnded(): { finish: AnswerEnd; error?: { code: string; message: string } } {
    if (ended) return ended;
    if (early === 'stopped') return { finish: 'stopped' };
    return { finish: 'error', error: early === 'interrupted' ? INTERRUPTED : BROKEN };
  }

  /** The last chunks are told once they are stored: who then reads the thread finds the answer in it. */
  async function close(last: readonly AnswerChunk[], store: Closing['store']): Promise<void> {
    unsubscribe?.();
    const unfed = await writer.stop();
    const lines = last.map((chunk) => JSON.stringify(chunk));
    const closing = {
      threadId: turn.threadId,
      streamId: turn.streamId,
      rest: { seq: unfed.seq, lines: [...unfed.lines, ...lines] },
      store,
    };
    for (let tries = 1; ; tries++) {
      try {
        await closeStream(db, closing);
        return;
      } catch (error) {
        log.warn({ err: error, streamId: turn.streamId, tries }, 'the end of an answer could not be stored');
        if (tries >= CLOSE_TRIES) return;
        await sleep(200 * 2 ** tries);
      }
    }
  }

  return {
    gone: gone.signal,
    onDrain: (resume) => writer.onDrain(resume),
    note: (known) => {
      metadata = { ...metadata, ...known };
    },
    write: (added) => {
      if (chunks === 0) begin(undefined);
      if (added.some(({ type }) => type === 'data-job')) ended = { finish: 'stop' };
      emit(added);
    },
    begin(known) {
      begin(known);
      const reader = readEvents(PROTOCOLS[known.request.protocol].createStreamDecoder(), {
        write: take,
        end: () => {},
        destroy: () => {},
      });
      return noting(reader, (result) => {
        used = result;
      });
    },
    async finish(inputBytes) {
      if (chunks === 0) begin(undefined);
      const end = howItEnded();
      const known = { ...metadata, ...(head && used ? costs(head, used, inputBytes) : {}), ...end };
      const last = [...encoder.close(), ...endChunks(known)];
      const parts = written.parts();
      await close(last, (tx) =>
        appendMessage(tx, turn.threadId, { id: turn.messageId, role: 'assistant', parts, metadata: known }),
      );
      client.write(
        last.map((chunk, index) => formatChunk(chunks + index, JSON.stringify(chunk))).join('') + UI_STREAM_END,
      );
      client.end();
      return {
        head,
        end: end.finish,
        text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      };
    },
    async refuse(error) {
      const { body } = errorBody(error);
      const why = { code: body.error, message: body.message ?? '' };
      await close([{ type: 'error', errorText: why.message }], (tx) => noteOnMessage(tx, turn.askedId, { error: why }));
    },
    interrupt: () => leave('interrupted'),
  };
}

function noting(reader: AnswerReader, note: (used: Used) => void): AnswerReader {
  const noted = (used: Used): Used => {
    note(used);
    return used;
  };
  return {
    take: (chunk) => reader.take(chunk),
    outputBytes: () => reader.outputBytes?.() ?? 0,
    end: () => noted(reader.end()),
    breakOff: (fault) => noted(reader.breakOff(fault)),
  };
}

/** As it is settled; an override costs the organization's credit nothing. */
function costs(
  { route, request }: TurnHead,
  { usage, outputBytes }: Used,
  inputBytes: number,
): Pick<MessageMetadata, 'inputTokens' | 'outputTokens' | 'cost'> {
  const used = usage ?? usageFromStreamed(inputTokensOf(request, inputBytes), outputBytes);
  const price = route.credential.kind === 'platform' ? route.declared?.price : undefined;
  return {
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    cost: price ? costOf(price, used) / 1e6 : 0,
  };
}
