// A turn's answer on a node:http response. Back-pressure comes from the socket: if a write does not fit, the provider
// is paused until the client has read more.
import type { ServerResponse } from 'node:http';
import type { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { chooseReader, type ReadOptions } from '../../chat/answer-reader.ts';
import type { ClientSignal, TurnHead, TurnSink } from '../../chat/answer-turn.ts';
import type { AnswerWriter } from '../../chat/answer-writer.ts';
import type { Route } from '../../chat/decide-turn.ts';
import type { ProviderRequest } from '../../chat/provider-request.ts';
import { ownsAccount, payerName } from '../../chat/read-failure.ts';
import { type Answer, createStreamEncoder } from '../../model-providers/codecs/encode-answer.ts';
import type { Keep } from '../../chat/stored/hold-answer.ts';
import { ProviderError } from '../../model-providers/codecs/provider-error.ts';
import type { Envelope } from '../../model-providers/codecs/read-envelope.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';
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
  const answerOf = ({ route, request: { passThrough, tools } }: TurnHead, keep?: Keep): Answer => ({
    key: passThrough ? '' : newId('a').slice(2),
    model: route.model.id,
    createdSeconds: Math.floor(Date.now() / 1000),
    includeUsage: envelope.includeUsage,
    request: keepFor ? { ...body, store: keep !== undefined } : body,
    tools,
  });
  return {
    gone: signalOf(response),
    onDrain: (resume) => void response.on('drain', resume),
    refused(error, head) {
      // For a Responses request that is too long, OpenAI sends the failure as a stream, and only then do its clients
      // shorten the conversation.
      if (
        seat === undefined ||
        surface.protocol !== 'responses' ||
        head.request.passThrough ||
        !(error instanceof ProviderError) ||
        error.failure.kind !== 'context_length'
      )
        return false;
      const writer = createWriter(response, surface, head, seat);
      writer.write(createStreamEncoder('responses', answerOf(head)).encode({ type: 'error', ...error.failure }));
      writer.end();
      return true;
    },
    begin(head) {
      const keep = keepFor?.(head);
      const options: ReadOptions = {
        surface: surface.protocol,
        protocol: head.request.protocol,
        answer: answerOf(head, keep),
        writer: createWriter(response, surface, head, seat),
        account: { own: ownsAccount(head.route), provider: payerName(head.route) },
        keep,
      };
      return chooseReader(options, { stream: seat !== undefined, passThrough: head.request.passThrough });
    },
  };
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

export function answerHeaders({ credential, provider }: Route, roomMicros?: number): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-service-credential': credential.kind,
    'x-service-provider': provider,
    // In dollars, with this request's reservation already taken off.
    ...(roomMicros === undefined ? {} : { 'x-service-cap-remaining': (Math.max(0, roomMicros) / 1e6).toFixed(6) }),
  };
}

/** What was left out of the request. */
export function leftOutHeader({ leftOut = [] }: Pick<ProviderRequest, 'leftOut'>): Record<string, string> {
  return leftOut.length > 0 ? { 'x-service-left-out': leftOut.join(', ') } : {};
}

function createWriter(
  response: ServerResponse,
  surface: ChatSurface,
  { route, request, roomMicros }: TurnHead,
  seat: StreamSeat | undefined,
): AnswerWriter {
  const headers = { ...answerHeaders(route, roomMicros), ...leftOutHeader(request) };
  const refuse = (error: AppError): void => writeError(response, surface, error);
  if (seat) {
    // Skipped if the request ended while the provider was being called.
    if (seat.signal.aborted) response.destroy();
    else response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });
    let begun = false;
    // A provider's headers usually arrive with its first event, so both are sent together. If the model thinks longer,
    // the headers go out alone.
    setImmediate(() => begun || response.writableEnded || response.destroyed || response.flushHeaders());
    return {
      write(bytes) {
        begun = true;
        return response.write(bytes);
      },
      end: () => void response.end(),
      destroy: () => void response.destroy(),
      refuse,
    };
  }
  // An unreadable answer can still be refused, so its headers go out with its body.
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
        ...headers,
      });
      endInOnePiece(response, body);
    },
    destroy: () => void response.destroy(),
    refuse,
  };
}

const ONE_PIECE_BYTES = 64 * 1024;

/** Node sends headers and a text body in one write, but a binary body in two. */
function endInOnePiece(response: ServerResponse, body: Buffer | string): void {
  if (typeof body === 'string') response.end(body);
  else if (body.length <= ONE_PIECE_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}
