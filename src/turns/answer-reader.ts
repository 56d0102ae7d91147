// Reads a provider's answer and writes the client's, in four variants: passed through or translated, streamed or whole.
// Each also collects what settlement needs: the reported usage, and the bytes written in case none is reported.
import { AppError } from '../base/errors.ts';
import type { UpstreamFault } from '../model-providers/call-upstream.ts';
import { redactSecrets } from '../model-providers/codecs/decode-failure.ts';
import { type Answer, createStreamEncoder } from '../model-providers/codecs/encode-answer.ts';
import { endWithFailure } from '../model-providers/codecs/end-with-failure.ts';
import type { Failure, NeutralEvent, Protocol, StreamDecoder, Usage } from '../model-providers/codecs/neutral.ts';
import { createStreamObserver } from '../model-providers/codecs/observe-stream.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { ProviderError } from '../model-providers/codecs/provider-error.ts';
import { FAILURE_SENTENCES, failureForClient } from '../model-providers/codecs/provider-failures.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import {
  createCorrector,
  createModelRenamer,
  createUsageChunkFilter,
  findCorrections,
} from '../model-providers/codecs/rewrite-stream.ts';
import type { AnswerWriter } from '../net/answer-writer.ts';
import { LARGE } from '../base/parse-json.ts';
import { convertLargeAnswer } from './bodies/large-body.ts';
import { convertAnswer, type Converted } from './convert-answer.ts';
import { usageFromStreamed } from './estimate-cost.ts';
import { type HeldWriter, holdAnswer, type Keep } from '../stored-responses/hold-answer.ts';
import { collectMessage, readEndedResponse } from '../stored-responses/read-ended-answer.ts';
import { type ResponseBytes, STORED_LIMITS } from '../stored-responses/stored-response.ts';

export interface Used {
  readonly usage: Usage | undefined;
  /** The provider has not reported the output yet: it is estimated from what was streamed. */
  readonly isEstimate?: true;
  readonly outputBytes: number;
}

export interface AnswerReader {
  /** False asks for a pause because the client is behind. */
  take(chunk: Buffer): boolean;
  /** Bytes written so far, if that can be known while streaming. */
  outputBytes?(): number;
  /** The provider's stream has ended. A promise, which never rejects, if what was read is large. */
  end(): Used | Promise<Used>;
  /** The provider or the client disconnected. */
  breakOff(fault: UpstreamFault): Used;
}

export interface ReadOptions {
  readonly surface: Protocol;
  readonly protocol: Protocol;
  readonly answer: Answer;
  readonly writer: AnswerWriter;
  /** The account used at the provider; the deployment's by default. */
  readonly account?: { readonly own: boolean; readonly provider: string } | undefined;
  /** Set if the answer is to be stored. */
  readonly keep?: Keep | undefined;
}

const WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;

export function chooseReader(
  options: ReadOptions,
  { stream, passThrough }: { readonly stream: boolean; readonly passThrough: boolean },
): AnswerReader {
  if (!stream) return readWhole(options, passThrough);
  return passThrough ? readStreamThrough(options) : readStreamTranslated(options);
}

function readStreamThrough({ surface, writer: client, answer, keep, account }: ReadOptions): AnswerReader {
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const observer = createStreamObserver(surface, keep ? { keepLineBytes: STORED_LIMITS.conversationBytes } : {});
  const message = keep && surface === 'messages' ? collectMessage(answer, true) : undefined;
  const decoder = message && PROTOCOLS[surface].createStreamDecoder();
  const filter = surface === 'chat' && !answer.includeUsage ? createUsageChunkFilter() : undefined;
  const renamer = createModelRenamer(surface, answer.model);
  const corrections = findCorrections(surface, answer);
  const corrector = corrections.length > 0 ? createCorrector(corrections) : undefined;
  const used = (): Used => {
    const { usage, usageFinal, outputBytes } = observer.see();
    return usedSoFar(usage, usageFinal, outputBytes);
  };
  let last: Buffer | undefined;
  const write = (bytes: Buffer): boolean => {
    last = bytes;
    return writer.write(bytes);
  };
  const fail = (failure: Failure): void =>
    void writer.write(endWithFailure(failure, { surface, answer, seen: observer, last }));
  return {
    take(chunk) {
      const text = chunk.toString('latin1');
      observer.feedText(text);
      // The client sees an event once its final line break arrives, in this chunk or a later one.
      if (held)
        holdAtEnd(held, message ? message.add(decoder?.feed(chunk) ?? []) : readEnd(observer.takeEnd()), answer.model);
      const kept = filter ? filter.feed(chunk, text) : chunk;
      const renamed = renamer.feed(kept, kept === chunk ? text : undefined);
      const bytes = corrector ? corrector.feed(renamed) : renamed;
      return bytes.length === 0 || write(account?.own ? bytes : withoutNames(bytes));
    },
    outputBytes: () => observer.see().outputBytes,
    end() {
      for (const rest of [filter ? renamer.feed(filter.end()) : undefined, renamer.end()])
        if (rest && rest.length > 0) write(corrector ? corrector.feed(rest) : rest);
      const rest = corrector?.end();
      if (rest && rest.length > 0) write(rest);
      if (!observer.see().finished) fail(BROKEN);
      writer.end();
      return used();
    },
    breakOff(fault) {
      if (fault === 'aborted') writer.destroy();
      else {
        fail(ENDINGS[fault]);
        writer.end();
      }
      return used();
    },
  };
}

function readStreamTranslated({ surface, protocol, answer, writer: client, keep, account }: ReadOptions): AnswerReader {
  const encoder = createStreamEncoder(surface, answer);
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const message = keep && surface === 'messages' ? collectMessage(answer, false) : undefined;
  return readEvents(PROTOCOLS[protocol].createStreamDecoder(), {
    write(events) {
      const texts = events.map((event) =>
        encoder.encode(
          event.type === 'error' ? { type: 'error', ...failureForClient(event, account?.own ?? false) } : event,
        ),
      );
      const last = events.at(-1)?.type;
      if (held)
        holdAtEnd(
          held,
          message ? message.add(events) : readEnd(last === 'finish' || last === 'error' ? texts.at(-1) : undefined),
          answer.model,
        );
      const text = texts.join('');
      return text === '' || writer.write(text);
    },
    end: () => writer.end(),
    destroy: () => writer.destroy(),
  });
}

/** The stored response names the model as the client knows it. */
function holdAtEnd(held: HeldWriter, ended: Loose | undefined, model: string): void {
  if (ended) held.hold({ ...ended, model });
}

const readEnd = (lastEvent: string | undefined): Loose | undefined =>
  lastEvent === undefined ? undefined : readEndedResponse(lastEvent);

export interface EventReader extends AnswerReader {
  end(): Used;
}

export interface EventWriter {
  write(events: readonly NeutralEvent[]): boolean;
  end(): void;
  destroy(): void;
}

/** The neutral events of a stream. The last one is `finish` or `error`. */
export function readEvents(decoder: StreamDecoder, writer: EventWriter): EventReader {
  let usage: Usage | undefined;
  let final = false;
  let outputBytes = 0;
  const note = (events: readonly NeutralEvent[]): readonly NeutralEvent[] => {
    for (const event of events) {
      if (event.type === 'usage') {
        usage = event.usage;
        final = event.final;
      } else if (
        event.type === 'text' ||
        event.type === 'reasoning' ||
        event.type === 'tool-arguments' ||
        event.type === 'refusal'
      )
        outputBytes += Buffer.byteLength(event.text);
    }
    return events;
  };
  const used = (): Used => usedSoFar(usage, final, outputBytes);
  return {
    take: (chunk) => writer.write(note(decoder.feed(chunk))),
    outputBytes: () => outputBytes,
    end() {
      writer.write(note(decoder.end()));
      writer.end();
      return used();
    },
    breakOff(fault) {
      if (fault === 'aborted') writer.destroy();
      else {
        writer.write([{ type: 'error', ...ENDINGS[fault] }]);
        writer.end();
      }
      return used();
    },
  };
}

/** A whole answer: read to the end, then passed on or translated. */
function readWhole(
  { surface, protocol, answer, writer: client, keep, account }: ReadOptions,
  passThrough: boolean,
): AnswerReader {
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const own = account?.own ?? false;
  const conversion = { surface, protocol, answer, passThrough, own, keeps: keep !== undefined };
  const chunks: Buffer[] = [];
  let size = 0;
  const write = (converted: Converted<Loose | ResponseBytes> | undefined): Used => {
    if (converted === undefined) {
      writer.refuse(new AppError('provider_unavailable'));
      return { usage: undefined, outputBytes: size };
    }
    if (converted.failure) {
      writer.refuse(new ProviderError(converted.failure, { provider: account?.provider ?? '' }));
      return { usage: undefined, outputBytes: 0 };
    }
    if (held && converted.ended) held.hold(converted.ended);
    writer.write(converted.body);
    writer.end();
    return { usage: converted.usage, outputBytes: size };
  };
  return {
    take(chunk) {
      size += chunk.length;
      if (size <= WHOLE_ANSWER_BYTES) chunks.push(chunk);
      return true;
    },
    end() {
      if (size > WHOLE_ANSWER_BYTES) return write(undefined);
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      return size > LARGE.bytes
        ? convertLargeAnswer(conversion, bytes).then(write)
        : write(convertAnswer(conversion, bytes));
    },
    breakOff(fault) {
      if (fault === 'aborted') writer.destroy();
      else writer.refuse(refusalAfter(fault));
      return { usage: undefined, outputBytes: size };
    },
  };
}

function usedSoFar(usage: Usage | undefined, final: boolean, outputBytes: number): Used {
  if (!usage || final) return { usage, outputBytes };
  const { outputTokens } = usageFromStreamed(0, outputBytes);
  return { usage: { ...usage, outputTokens }, isEstimate: true, outputBytes };
}

/** What was used, at once unless the answer is large. */
export function whenUsed(used: Used | Promise<Used>, then: (used: Used) => void): void {
  if (used instanceof Promise) void used.then(then);
  else then(used);
}

const BROKEN: Failure = { kind: 'other', message: 'The provider ended the connection before the answer was complete.' };

/** How an answer ends that was cut off while its client still listens. */
const ENDINGS = {
  broken: BROKEN,
  unreachable: BROKEN,
  timeout: { kind: 'timeout', message: 'The provider stopped responding before the answer was complete.' },
  stopped: { kind: 'stopping', message: FAILURE_SENTENCES.stopping },
} as const satisfies Record<Exclude<UpstreamFault, 'aborted'>, Failure>;

/** The same, for a client that has heard nothing yet. What the provider has worked on is charged. */
export function refusalAfter(fault: Exclude<UpstreamFault, 'aborted'>): AppError {
  if (fault === 'timeout') return new AppError('provider_timeout', { charged: true });
  if (fault === 'stopped') return new AppError('unavailable', { stopping: true });
  return new AppError('provider_unavailable');
}

/** An error reported inside the stream may name the account, which is the deployment's. */
function withoutNames(bytes: Buffer): Buffer {
  if (!bytes.includes('"error"')) return bytes;
  const text = bytes.toString('latin1');
  return /"type": ?"error"|"error": ?\{/.test(text) ? Buffer.from(redactSecrets(text), 'latin1') : bytes;
}
