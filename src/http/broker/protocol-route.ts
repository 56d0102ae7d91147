// POST /: one protocol request, one answer. The HTTP status is the answer's own, as the protocol has it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Broker } from '../../broker/create-broker.ts';
import { type Envelope, parseEnvelope, PROTOCOL_VERSION } from '../../broker/protocol.ts';
import { bearerOf } from './check-token.ts';

const BODY_MAX = 1024 * 1024;

export interface ProtocolDeps {
  readonly broker: Pick<Broker, 'answer'>;
  readonly isToken: (presented: string | undefined) => boolean;
  readonly log: Log;
}

export async function answerProtocol({ broker, isToken, log }: ProtocolDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return reply(response, undefined, 400, 'The body must be application/json');
  const text = await readBody(request);
  if (text === undefined) {
    // What is still to come is not read: the connection ends with the answer.
    response.setHeader('connection', 'close');
    return reply(response, undefined, 413, `The body must be at most ${BODY_MAX} bytes`);
  }
  const envelope = parseEnvelope(parseJson(text));
  if (!isToken(bearerOf(request.headers.authorization) ?? envelope?.head.auth)) return reply(response, envelope, 401, 'A valid token is required');
  if (!envelope) return reply(response, undefined, 400, 'The body must be {kind, head: {corrId, version}, data}');
  try {
    const { status, data } = await broker.answer(envelope);
    reply(response, envelope, status, data);
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, kind: envelope.kind }, 'request failed');
    reply(response, envelope, 503, 'The broker cannot answer now');
  }
}

function reply(response: ServerResponse, envelope: Envelope | undefined, status: number, data: unknown): void {
  const body = JSON.stringify({ kind: envelope?.kind ?? 'error', head: { corrId: envelope?.head.corrId ?? '', status, version: envelope?.head.version ?? PROTOCOL_VERSION }, data });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
