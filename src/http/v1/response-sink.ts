// A turn's answer on a node:http response. Back-pressure comes from the socket: if a write does not fit, the provider
// is paused until the client has read more.
import type { ServerResponse } from 'node:http';
import type { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { chooseReader, type ReadOptions } from '../../turns/answer-reader.ts';
import type { ClientSignal, TurnHead, TurnSink } from '../../turns/answer-turn.ts';
import type { AnswerWriter } from '../../net/answer-writer.ts';
import { nameOf, type Route } from '../../turns/decide-turn.ts';
import type { ProviderRequest } from '../../turns/provider-request.ts';
import { ownsAccount, payerName } from '../../turns/read-failure.ts';
import { describeTried } from '../../turns/routes/choose-next-hop.ts';
import type { Answer } from '../../model-providers/codecs/encode-answer.ts';
import { endsEvent, refuseInStream } from '../../model-providers/codecs/end-with-failure.ts';
import type { Keep } from '../../stored-responses/hold-answer.ts';
import { ProviderError } from '../../model-providers/codecs/provider-error.ts';
import type { Envelope } from '../../model-providers/codecs/read-envelope.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';
import { KEEP_ALIVE } from '../shell/event-stream.ts';
import type { StreamSeat } from '../shell/streams/open-streams.ts';
import type { Opened } from './open-response.ts';
import type { ChatSurface } from './surfaces.ts';
import { writeError } from './write-surface-error.ts';

/** The parts of a client's request that its answer depends on. */
export interface ClientRequest {
  readonly response: ServerResponse;
  readonly surface: ChatSurface;
  readonly envelope: Pick<Envelope, 'includeUsage'>;
  readonly body: Loose;
  readonly opened?: Pick<Opened, 'keepFor'> | undefined;
}

/** An answer is streamed if a stream slot is given, and stored if `keep` is. */
export function createResponseSink(
  { response, surface, envelope, body, opened }: ClientRequest,
  seat?: StreamSeat,
): TurnSink {
  const keepFor = opened?.keepFor;
  const stream = seat && openStream(response, surface, seat);
  const answerOf = ({ route, request: { passThrough, tools, compacts } }: TurnHead, keep?: Keep): Answer => ({
    key: passThrough ? '' : newKey(),
    model: nameOf(route),
    createdSeconds: Math.floor(Date.now() / 1000),
    includeUsage: envelope.includeUsage,
    request: keepFor ? { ...body, store: keep !== undefined } : body,
    tools,
    compacts,
  });
  return {
    kind: stream ? 'streamed' : 'whole',
    gone: signalOf(response),
    onDrain: (resume) => void response.on('drain', resume),
    waiting: (head) => stream?.keepAlive(head),
    tried: (course) => void (response.headersSent || response.setHeader('x-service-tried', describeTried(course))),
    refused(error, head) {
      if (!stream || !(stream.isBegun || belongsInside(error, head, surface))) return false;
      const { write, end } = stream.open(head);
      write(refuseInStream(error, surface.protocol, { ...answerOf(head), key: newKey() }));
      end();
      return true;
    },
    begin(head) {
      const keep = keepFor?.(head);
      const options: ReadOptions = {
        surface: surface.protocol,
        protocol: head.request.protocol,
        answer: answerOf(head, keep),
        writer: stream ? stream.open(head) : openWhole(response, surface, head),
        account: { own: ownsAccount(head.route), provider: payerName(head.route) },
        keep,
      };
      return chooseReader(options, { stream: stream !== undefined, passThrough: head.request.passThrough });
    },
  };
}

const newKey = (): string => newId('a').slice(2);

/**
 * For a Responses request that is too long, OpenAI sends the failure as a stream, and only then do its clients shorten
 * the conversation.
 */
function belongsInside(error: AppError, { request }: TurnHead, { protocol }: ChatSurface): boolean {
  return (
    protocol === 'responses' &&
    !request.passThrough &&
    error instanceof ProviderError &&
    error.failure.kind === 'context_length'
  );
}

export function signalOf(response: ServerResponse): ClientSignal {
  const listeners: (() => void)[] = [];
  let aborted = false;
  response.once('close', () => {
    if (response.writableFinished) return;
    aborted = true;
    for (const listener of listeners) listener();
  });
  return {
    get aborted() {
      return aborted;
    },
    addEventListener: (_type, listener) => void listeners.push(listener),
  };
}

export function answerHeaders({ credential, provider, served }: Route, roomMicros?: number): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-service-credential': credential.kind,
    'x-service-provider': provider,
    ...(served === undefined ? {} : { 'x-service-model': served }),
    // In dollars, with this request's reservation already taken off.
    ...(roomMicros === undefined ? {} : { 'x-service-cap-remaining': (Math.max(0, roomMicros) / 1e6).toFixed(6) }),
  };
}

/** What was left out of the request. */
function leftOutHeader({ leftOut = [] }: Pick<ProviderRequest, 'leftOut'>): Record<string, string> {
  return leftOut.length > 0 ? { 'x-service-left-out': leftOut.join(', ') } : {};
}

/** What shows that a stream is alive, in the surface's own words. */
const SIGNS_OF_LIFE = {
  chat: KEEP_ALIVE,
  responses: KEEP_ALIVE,
  messages: 'event: ping\ndata: {"type": "ping"}\n\n',
} as const satisfies Record<ChatSurface['protocol'], string>;

interface AnswerStream {
  /** Whether the status is sent, so that a refusal has to be an event. */
  readonly isBegun: boolean;
  /** From now on a silence begins the answer, and goes on with keep-alives. */
  keepAlive(head: TurnHead): void;
  open(head: TurnHead): AnswerWriter;
}

function openStream(response: ServerResponse, surface: ChatSurface, seat: StreamSeat): AnswerStream {
  let last: Buffer | string | undefined;
  const write = (bytes: Buffer | string): boolean => {
    last = bytes;
    return response.write(bytes);
  };
  const begin = (head: TurnHead): void => {
    if (response.headersSent) return;
    // Skipped if the request ended while the provider was being called.
    if (seat.signal.aborted) response.destroy();
    else response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headersOf(head) });
  };
  return {
    get isBegun() {
      return response.headersSent;
    },
    keepAlive: (head) =>
      seat.whenSilent(() => {
        if (response.writableEnded || response.destroyed || !endsEvent(last)) return;
        begin(head);
        write(SIGNS_OF_LIFE[surface.protocol]);
      }),
    open(head) {
      begin(head);
      // A provider's headers usually arrive with its first event, so both are sent together. If the model thinks longer,
      // the headers go out alone.
      setImmediate(() => last !== undefined || response.writableEnded || response.destroyed || response.flushHeaders());
      return {
        write,
        end: () => void response.end(),
        destroy: () => void response.destroy(),
        refuse: (error) => writeError(response, surface, error),
      };
    },
  };
}

/** An unreadable answer can still be refused, so its headers go out with its body. */
function openWhole(response: ServerResponse, surface: ChatSurface, head: TurnHead): AnswerWriter {
  let body: Buffer | string = '';
  return {
    write(bytes) {
      body = bytes;
      return true;
    },
    end() {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headersOf(head),
      });
      endInOnePiece(response, body);
    },
    destroy: () => void response.destroy(),
    refuse: (error) => writeError(response, surface, error),
  };
}

/** A head that is sent before a model has answered names none if it may still be another. */
export function headersOf({ route, request, roomMicros, limits, isOpen }: TurnHead): Record<string, string> {
  if (isOpen) return { 'cache-control': 'no-store' };
  return { ...answerHeaders(route, roomMicros), ...leftOutHeader(request), ...limits };
}

const ONE_PIECE_BYTES = 64 * 1024;

/** Node sends headers and a text body in one write, but a binary body in two. */
function endInOnePiece(response: ServerResponse, body: Buffer | string): void {
  if (typeof body === 'string') response.end(body);
  else if (body.length <= ONE_PIECE_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}
