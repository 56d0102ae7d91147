// POST /: one protocol request, one answer. The HTTP status is that of the answer, as the protocol requires. A batch is
// answered together, each request with its own status.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import type { Broker } from '../../broker/create-broker.ts';
import {
  type BrokerAnswer,
  BATCH_HEADER,
  BATCH_KIND,
  BATCH_MAX,
  type Envelope,
  parseEnvelope,
  PROTOCOL_VERSION,
} from '../../broker/protocol/protocol.ts';
import { readIncoming } from '../shell/read-body.ts';
import { presentedToken } from './check-token.ts';

const BODY_MAX = 1024 * 1024;

export interface ProtocolDeps {
  readonly broker: Pick<Broker, 'answer'>;
  readonly isToken: (presented: string | undefined) => boolean;
  readonly log: Log;
}

export async function answerProtocol(
  { broker, isToken, log }: ProtocolDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return reply(response, undefined, 400, 'The body must be application/json');
  const text = await readBody(request);
  if (text === undefined) {
    // The rest of the body is not read: the connection closes after the answer.
    response.setHeader('connection', 'close');
    return reply(response, undefined, 413, `The body must be at most ${BODY_MAX} bytes`);
  }
  const envelope = parseEnvelope(parseJson(text));
  if (!isToken(presentedToken(request.headers, envelope?.head.auth)))
    return reply(response, envelope, 401, 'A valid token is required');
  if (!envelope) return reply(response, undefined, 400, 'The body must be {kind, head: {corrId, version}, data}');
  if (envelope.kind !== BATCH_KIND) {
    const { status, data } = await answerOne(broker, envelope, (error) =>
      reportFailure(log, error, { kind: envelope.kind }),
    );
    return reply(response, envelope, status, data);
  }
  if (!Array.isArray(envelope.data) || envelope.data.length > BATCH_MAX)
    return reply(response, envelope, 400, `The data must be a list of at most ${BATCH_MAX} requests`);
  const failed: { readonly error: unknown; readonly kind: string }[] = [];
  const answers = await Promise.all(
    envelope.data.map(async (one: unknown) => {
      const inner = parseEnvelope(one);
      const { status, data } = inner
        ? await answerOne(broker, inner, (error) => failed.push({ error, kind: inner.kind }))
        : { status: 400, data: 'A request must be {kind, head: {corrId, version}, data}' };
      return toWire(inner, status, data);
    }),
  );
  // The same cause usually fails most of them: one log line per batch.
  const [first] = failed;
  if (first) reportFailure(log, first.error, { kind: first.kind, failed: failed.length, of: answers.length });
  reply(response, envelope, 200, answers);
}

async function answerOne(
  broker: Pick<Broker, 'answer'>,
  envelope: Envelope,
  report: (error: unknown) => void,
): Promise<BrokerAnswer> {
  try {
    return await broker.answer(envelope);
  } catch (error) {
    report(error);
    return { status: 503, data: 'The broker cannot answer now' };
  }
}

function toWire(envelope: Envelope | undefined, status: number, data: unknown): object {
  return {
    kind: envelope?.kind ?? 'error',
    head: { corrId: envelope?.head.corrId ?? '', status, version: envelope?.head.version ?? PROTOCOL_VERSION },
    data,
  };
}

function reply(response: ServerResponse, envelope: Envelope | undefined, status: number, data: unknown): void {
  const body = JSON.stringify(toWire(envelope, status, data));
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      [BATCH_HEADER]: '1',
    })
    .end(body);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  try {
    return (await readIncoming(request, BODY_MAX)).toString('utf8');
  } catch (error) {
    if (error instanceof AppError && error.code === 'request_too_large') return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
