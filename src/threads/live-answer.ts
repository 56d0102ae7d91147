// An answer while it is being written. It belongs to the thread, not to the connection that requested it: chunks go to
// that client at once and to the stream's rows in batches, and only a stop ends it early. However it ends, what was
// written is stored together with the way it ended.
import { errorBody } from '../base/errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { MessageMetadata, MessagePart } from '../contract/threads.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';
import { type Early, openAnswerCourse } from './answer-course.ts';
import { readEvents } from '../turns/answer-reader.ts';
import type { TurnCharge, TurnHead, TurnSink } from '../turns/answer-turn.ts';
import {
  type AnswerChunk,
  type AnswerEnd,
  createPartCollector,
  endChunks,
  formatChunk,
  UI_STREAM_END,
} from './encode-ui-stream.ts';
import { nameOf } from '../turns/decide-turn.ts';
import { ownsAccount } from '../turns/read-failure.ts';
import type { HopCourse } from '../turns/routes/choose-next-hop.ts';
import type { BegunTurn } from './begin-turn.ts';
import { appendMessage, mergeMetadata } from './messages.ts';
import { createStreamWriter } from './stream-writer.ts';
import { type Closing, closeStream, STOP_TOPIC } from './streams.ts';
import { hasFollowers } from './versions.ts';

interface AnswerHead {
  readonly credential?: string;
  readonly provider?: string;
  readonly served?: string | undefined;
}

/** The requesting connection. It may leave at any time; nothing here waits for it. */
export interface AnswerClient {
  /** The thread and the message are stored; called before anything else. A refusal before this has stored nothing. */
  stored(turn: Pick<BegunTurn, 'threadId' | 'askedId'>): void;
  /** The model is asked: if nothing is written for long, the answer begins without it. */
  waiting(head: AnswerHead): void;
  begin(head: AnswerHead): void;
  /** Models of a route did not answer. */
  tried?(course: HopCourse): void;
  readonly isBegun: boolean;
  write(text: string): void;
  end(): void;
}

export interface LiveAnswer extends Omit<TurnSink, 'admitted'> {
  readonly gone: AbortSignal;
  /** Adds details to the turn before the answer begins. */
  note(metadata: MessageMetadata): void;
  write(chunks: readonly AnswerChunk[]): void;
  /** The answer is complete, stopped or cut off: stores it and ends all its streams. */
  finish(charge: TurnCharge | undefined): Promise<FinishedAnswer>;
  /** No answer was produced: frees the thread and records on the message why. */
  refuse(error: unknown): Promise<void>;
  /** The process is shutting down. */
  interrupt(): void;
}

interface FinishedAnswer {
  readonly head: TurnHead | undefined;
  readonly end: AnswerEnd;
  readonly text: string;
}

export interface LiveDeps {
  readonly db: Database;
  readonly log: Log;
  readonly listener: Listener | undefined;
}

/**
 * Where the chunks go: to the client at once, to the rows after that, and into the message that is stored at the end.
 */
interface AnswerOutput {
  readonly isEmpty: boolean;
  /** False while the rows are behind. */
  emit(chunks: readonly AnswerChunk[]): boolean;
  onDrain(resume: () => void): void;
  parts(): MessagePart[];
  /**
   * Stores the end. The last chunks are sent only after that, so a client that then reads the thread finds the answer
   * in it.
   */
  close(last: readonly AnswerChunk[], store: Closing['store']): Promise<void>;
  tellEnd(last: readonly AnswerChunk[]): void;
}

function openOutput(
  { db, log, listener }: LiveDeps,
  turn: BegunTurn,
  client: AnswerClient,
  leave: (why: Early) => void,
): AnswerOutput {
  const written = createPartCollector();
  let chunks = 0;
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
  const format = (lines: readonly string[]): string =>
    lines.map((line, index) => formatChunk(chunks + index, line)).join('');

  return {
    get isEmpty() {
      return chunks === 0;
    },
    emit(added) {
      if (added.length === 0) return true;
      const lines = added.map((chunk) => JSON.stringify(chunk));
      client.write(format(lines));
      for (const chunk of added) written.add(chunk);
      chunks += added.length;
      return writer.write(lines);
    },
    onDrain: (resume) => writer.onDrain(resume),
    parts: () => written.parts(),
    async close(last, store) {
      unsubscribe?.();
      const unfed = await writer.stop();
      const rest = { seq: unfed.seq, lines: [...unfed.lines, ...last.map((chunk) => JSON.stringify(chunk))] };
      await storeEnd(db, log, { threadId: turn.threadId, streamId: turn.streamId, rest, store });
    },
    tellEnd(last) {
      client.write(format(last.map((chunk) => JSON.stringify(chunk))) + UI_STREAM_END);
      client.end();
    },
  };
}

async function storeEnd(db: Database, log: Log, closing: Closing): Promise<void> {
  const onFailure = (error: unknown, tries: number): void =>
    log.warn({ err: error, streamId: closing.streamId, tries }, 'could not store the end of an answer');
  await retry(RETRIES.answerEnd, () => closeStream(db, closing), { onFailure }).catch(() => {});
}

export function openLiveAnswer(deps: LiveDeps, turn: BegunTurn, client: AnswerClient): LiveAnswer {
  const course = openAnswerCourse();
  const output = openOutput(deps, turn, client, course.leave);
  let head: TurnHead | undefined;
  let metadata: MessageMetadata = {};

  function begin(known: TurnHead | undefined): void {
    head = known;
    if (known)
      metadata = {
        ...metadata,
        model: nameOf(known.route),
        ...(known.route.served === undefined ? {} : { served: known.route.served }),
        provider: known.route.provider,
        credential: known.route.credential.kind,
      };
    client.begin(headOf(known));
    output.emit([{ type: 'start', messageId: turn.messageId, messageMetadata: metadata }]);
  }

  return {
    kind: 'streamed',
    gone: course.gone,
    onDrain: (resume) => output.onDrain(resume),
    waiting: (known) => client.waiting(headOf(known)),
    note: (known) => {
      metadata = { ...metadata, ...known };
    },
    write: (added) => {
      if (output.isEmpty) begin(undefined);
      if (added.some(({ type }) => type === 'data-job')) course.complete();
      output.emit(added);
    },
    begin(known) {
      begin(known);
      const own = ownsAccount(known.route);
      return readEvents(PROTOCOLS[known.request.protocol].createStreamDecoder(), {
        write: (events) => output.emit(course.take(events, own)),
        end: () => {},
        destroy: () => {},
      });
    },
    async finish(charge) {
      if (output.isEmpty) begin(undefined);
      const outcome = course.outcome();
      const end = outcome.error === undefined ? outcome : { ...outcome, error: failedNow(outcome.error) };
      const known = { ...metadata, ...(head && charge ? costs(head, charge) : {}), ...end };
      const last = [...course.close(), ...endChunks(known)];
      const parts = output.parts();
      await output.close(last, (tx) =>
        appendMessage(tx, turn.threadId, { id: turn.messageId, role: 'assistant', parts, metadata: known }),
      );
      output.tellEnd(last);
      return {
        head,
        end: end.finish,
        text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      };
    },
    async refuse(error) {
      const { body } = errorBody(error);
      const why = failedNow({ code: body.error, message: body.message ?? '' });
      const last: AnswerChunk[] = [{ type: 'error', errorText: why.message }];
      await output.close(last, (tx) => storeFailure(tx, turn, { ...metadata, finish: 'error', error: why }));
      if (client.isBegun) output.tellEnd(last);
    },
    interrupt: () => course.leave('interrupted'),
  };
}

/**
 * A failure is kept on the question; if that has other answers, it is a version among them, so that they stay in reach.
 */
async function storeFailure(tx: Transaction, turn: BegunTurn, failed: MessageMetadata): Promise<void> {
  if (!(await hasFollowers(tx, turn.threadId, turn.askedId)))
    return mergeMetadata(tx, turn.askedId, { error: failed.error });
  return appendMessage(tx, turn.threadId, { id: turn.messageId, role: 'assistant', parts: [], metadata: failed });
}

function failedNow(error: { readonly code: string; readonly message: string }): MessageMetadata['error'] & {} {
  return { ...error, at: new Date().toISOString() };
}

function headOf(known: TurnHead | undefined): AnswerHead {
  if (!known || known.isOpen) return {};
  const { credential, provider, served } = known.route;
  return { credential: credential.kind, provider, served };
}

/** As settled; with an override it costs no platform credit. */
function costs(
  { route }: TurnHead,
  { inputTokens, outputTokens, cacheReadTokens, costMicros }: TurnCharge,
): Pick<MessageMetadata, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'cost'> {
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === 0 ? {} : { cachedTokens: cacheReadTokens }),
    cost: route.credential.kind === 'platform' ? (costMicros ?? 0) / 1e6 : 0,
  };
}
