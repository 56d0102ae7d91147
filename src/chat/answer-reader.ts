// Reads a provider's answer and writes the client's. Four ways: passed through or translated, streamed or whole.
// Each also keeps what the settlement needs: reported usage, and how much was written in case none is reported.
import type { UpstreamFault } from '../providers/call-upstream.ts';
import { collectResponse } from '../providers/codecs/collect-response.ts';
import { createUsageChunkFilter } from '../providers/codecs/drop-usage-chunk.ts';
import { type Answer, createStreamEncoder, encodeResponse } from '../providers/codecs/encode-answer.ts';
import { toAnthropicStreamError, toOpenAiStreamError } from '../providers/codecs/encode-error.ts';
import type { NeutralEvent, Protocol, StreamDecoder, Usage } from '../providers/codecs/neutral.ts';
import { observeResponse } from '../providers/codecs/observe-response.ts';
import { createStreamObserver } from '../providers/codecs/observe-stream.ts';
import { PROTOCOLS } from '../providers/codecs/protocols.ts';
import { isObject, type Loose } from '../providers/codecs/read-fields.ts';
import type { AnswerWriter } from './answer-writer.ts';
import { usageFromStreamed } from './estimate-cost.ts';
import { collectMessage } from './stored/collect-message.ts';
import { type HeldWriter, holdAnswer, type Keep } from './stored/hold-answer.ts';
import { readEndedResponse } from './stored/read-ended-response.ts';
import { STORED_LIMITS } from './stored/stored-response.ts';

export interface Used {
  readonly usage: Usage | undefined;
  readonly outputBytes: number;
}

export interface AnswerReader {
  /** False asks for a pause: the client is behind. */
  take(chunk: Buffer): boolean;
  /** Of what was written so far, where that can be seen while it is. */
  outputBytes?(): number;
  /** The provider's bytes have ended. */
  end(): Used;
  /** The provider, or the client, broke off. */
  breakOff(fault: UpstreamFault): Used;
}

export interface ReadOptions {
  readonly surface: Protocol;
  readonly protocol: Protocol;
  readonly answer: Answer;
  readonly writer: AnswerWriter;
  /** Where the answer is stored. */
  readonly keep?: Keep | undefined;
}

const WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;

export function chooseReader(options: ReadOptions, { stream, passThrough }: { readonly stream: boolean; readonly passThrough: boolean }): AnswerReader {
  if (!stream) return readWhole(options, passThrough);
  return passThrough ? readStreamThrough(options) : readStreamTranslated(options);
}

export function readStreamThrough({ surface, writer: client, answer, keep }: ReadOptions): AnswerReader {
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const observer = createStreamObserver(surface, keep ? { keepLineBytes: STORED_LIMITS.conversationBytes } : {});
  const message = keep && surface === 'messages' ? collectMessage(answer, true) : undefined;
  const decoder = message && PROTOCOLS[surface].createStreamDecoder();
  const filter = surface === 'chat' && !answer.includeUsage ? createUsageChunkFilter() : undefined;
  const used = (): Used => {
    const { usage, usageFinal, outputBytes } = observer.see();
    return { usage: usage && !usageFinal ? { ...usage, outputTokens: usageFromStreamed(0, outputBytes).outputTokens } : usage, outputBytes };
  };
  return {
    take(chunk) {
      observer.feed(chunk);
      // The client knows of an event when its last line break has come, which is in this chunk or a later one.
      if (held) holdAtEnd(held, message ? message.add(decoder?.feed(chunk) ?? []) : readEnd(observer.takeEnd()));
      const bytes = filter ? filter.feed(chunk) : chunk;
      return bytes.length === 0 || writer.write(bytes);
    },
    outputBytes: () => observer.see().outputBytes,
    end() {
      const rest = filter?.end();
      if (rest && rest.length > 0) writer.write(rest);
      if (!observer.see().finished) writer.write(streamError(surface, BROKEN));
      writer.end();
      return used();
    },
    breakOff(fault) {
      if (fault === 'aborted') writer.destroy();
      else {
        writer.write(streamError(surface, fault === 'timeout' ? LATE : BROKEN));
        writer.end();
      }
      return used();
    },
  };
}

export function readStreamTranslated({ surface, protocol, answer, writer: client, keep }: ReadOptions): AnswerReader {
  const encoder = createStreamEncoder(surface, answer);
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const message = keep && surface === 'messages' ? collectMessage(answer, false) : undefined;
  return readEvents(PROTOCOLS[protocol].createStreamDecoder(), {
    write(events) {
      const texts = events.map((event) => encoder.encode(event));
      const last = events.at(-1)?.type;
      if (held) holdAtEnd(held, message ? message.add(events) : readEnd(last === 'finish' || last === 'error' ? texts.at(-1) : undefined));
      const text = texts.join('');
      return text === '' || writer.write(text);
    },
    end: () => writer.end(),
    destroy: () => writer.destroy(),
  });
}

function holdAtEnd(held: HeldWriter, ended: Loose | undefined): void {
  if (ended) held.hold(ended);
}

const readEnd = (lastEvent: string | undefined): Loose | undefined => (lastEvent === undefined ? undefined : readEndedResponse(lastEvent));

export interface EventWriter {
  write(events: readonly NeutralEvent[]): boolean;
  end(): void;
  destroy(): void;
}

/** The neutral events of a stream, for whoever wants them; the last one is `finish` or `error`. */
export function readEvents(decoder: StreamDecoder, writer: EventWriter): AnswerReader {
  let usage: Usage | undefined;
  let final = false;
  let outputBytes = 0;
  const note = (events: readonly NeutralEvent[]): readonly NeutralEvent[] => {
    for (const event of events) {
      if (event.type === 'usage') {
        usage = event.usage;
        final = event.final;
      } else if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-arguments' || event.type === 'refusal') outputBytes += Buffer.byteLength(event.text);
    }
    return events;
  };
  const used = (): Used => ({ usage: usage && !final ? { ...usage, outputTokens: usageFromStreamed(0, outputBytes).outputTokens } : usage, outputBytes });
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
        writer.write([fault === 'timeout' ? LATE : BROKEN]);
        writer.end();
      }
      return used();
    },
  };
}

/** A whole answer: read to its end, then passed on or translated. */
export function readWhole({ surface, protocol, answer, writer: client, keep }: ReadOptions, passThrough: boolean): AnswerReader {
  const held = keep && holdAnswer(client, keep);
  const writer = held ?? client;
  const chunks: Buffer[] = [];
  let size = 0;
  const nothing: Used = { usage: undefined, outputBytes: 0 };
  return {
    take(chunk) {
      size += chunk.length;
      if (size <= WHOLE_ANSWER_BYTES) chunks.push(chunk);
      return true;
    },
    end() {
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      const body = size > WHOLE_ANSWER_BYTES ? undefined : parseJson(bytes);
      if (body === undefined) {
        writer.refuse('The provider answered with something that cannot be read.');
        return { usage: undefined, outputBytes: size };
      }
      if (passThrough) {
        if (isObject(body)) held?.hold(body);
        writer.write(bytes);
        writer.end();
        return { usage: observeResponse(protocol, body).usage, outputBytes: bytes.length };
      }
      const response = collectResponse(PROTOCOLS[protocol].decodeResponse(body));
      if ('kind' in response) {
        writer.refuse(response.message);
        return nothing;
      }
      const text = encodeResponse(surface, response, answer);
      held?.hold(JSON.parse(text) as Loose);
      writer.write(text);
      writer.end();
      return { usage: response.usage, outputBytes: bytes.length };
    },
    breakOff(fault) {
      if (fault === 'aborted') writer.destroy();
      else writer.refuse(fault === 'timeout' ? LATE.message : BROKEN.message);
      return { usage: undefined, outputBytes: size };
    },
  };
}

type ErrorEvent = Extract<NeutralEvent, { type: 'error' }>;
const BROKEN: ErrorEvent = { type: 'error', kind: 'other', message: 'The provider broke off before the answer was complete.' };
const LATE: ErrorEvent = { type: 'error', kind: 'overloaded', message: 'The provider fell silent before the answer was complete.' };

/** An error inside a stream that has begun, as each surface's clients expect it. */
function streamError(surface: Protocol, event: ErrorEvent): string {
  switch (surface) {
    case 'chat':
      return `data: ${JSON.stringify(toOpenAiStreamError(event))}\n\n`;
    case 'messages':
      return `event: error\ndata: ${JSON.stringify(toAnthropicStreamError(event))}\n\n`;
    case 'responses': {
      const { code, message } = toOpenAiStreamError(event).error;
      return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null, sequence_number: 0 })}\n\n`;
    }
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
