// Forwards one request to its target and the response back, streaming both ways. Redirects are passed on, never
// followed: a credential goes only to its own target, and must not come back in the response.
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Budget } from './budget.ts';
import { isOverridingHeader } from './override-request.ts';
import { fillHeader, type PlacedSecret } from './fill-placeholders.ts';
import { createScrubber, scrubText } from './scrub-secrets.ts';

export interface Forward {
  readonly target: URL;
  /**
   * If headers are set on the far side, no credential of the run is passed on, and secrets are removed from the
   * response.
   */
  readonly broker?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly secrets: readonly Buffer[];
    /** What the run sends as a credential passes, with these filled in; undefined if it does not pass. */
    readonly fill?: readonly PlacedSecret[] | undefined;
  };
  readonly budget: Budget;
  readonly lookup?: LookupFunction;
  /** JSON that was parsed and serialised here; otherwise the body is passed on as it comes. */
  readonly body?: Buffer;
}

/** A model may take minutes before its first byte. */
const SILENCE_MS = 600_000;
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** A run has no credentials of its own for a broker's API; whatever it sends as one is not passed on. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'x-api-key']);
/** Nor may it request a range or a content encoding, in which a secret would not be recognised. */
const UNSCRUBBABLE = new Set(['range', 'if-range', 'accept-encoding']);
const NEVER_ANSWERED = new Set(['set-cookie']);

/** For an upstream that encodes its response although the request asked it not to. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { target, broker, budget, lookup, body }: Forward,
): void {
  if (!budget.takeRequest())
    return void response
      .writeHead(429, { 'content-type': 'text/plain', connection: 'close' })
      .end('The budget of this run is spent.\n');
  const fail = (status: number, text: string): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
  };
  // A TRACE response echoes the request, credentials included.
  if (request.method === 'TRACE') return fail(405, 'This method is not open to the run.');
  const sent = headersFor(request.headers, target, broker);
  if (body !== undefined) describeJson(sent, body);
  const call = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
    method: request.method,
    headers: sent,
    timeout: SILENCE_MS,
    agent: false,
    ...(lookup === undefined ? {} : { lookup }),
  });
  call.on('timeout', () => call.destroy(new Error('silent')));
  call.on('error', () => fail(502, 'The host could not be reached.'));
  response.on('close', () => call.destroy());
  call.on('response', (answer) => {
    const steps = broker === undefined || mayPass(broker) ? [] : cleaning(request.method, answer, broker.secrets);
    if (steps === undefined) {
      answer.destroy();
      return fail(502, 'The response has an unsupported content encoding.');
    }
    response.writeHead(answer.statusCode ?? 502, headersOf(answer, broker?.secrets ?? [], steps.length > 1));
    response.flushHeaders();
    return void pipeline([answer, ...steps, counted(budget), response], (error) => error && response.destroy());
  });
  pipeline(body === undefined ? request : Readable.from([body]), counted(budget), call, (error) => {
    if (error)
      fail(
        error === SPENT ? 429 : 502,
        error === SPENT ? 'The budget of this run is spent.' : 'The host could not be reached.',
      );
  });
}

/** Whatever headers the run set for its body: this one is plain JSON. */
function describeJson(sent: Record<string, string | string[]>, body: Buffer): void {
  delete sent['content-encoding'];
  sent['content-type'] = 'application/json';
  sent['content-length'] = String(body.length);
}

/** A host whose answers can hold no secret, because it gets none. */
function mayPass({ fill, secrets }: NonNullable<Forward['broker']>): boolean {
  return fill !== undefined && secrets.length === 0;
}

function headersFor(
  asked: IncomingHttpHeaders,
  target: URL,
  broker: Forward['broker'],
): Record<string, string | string[]> {
  const { fill } = broker ?? {};
  const filled = (value: string | string[]): string | string[] =>
    fill === undefined
      ? value
      : Array.isArray(value)
        ? value.map((one) => fillHeader(fill, one))
        : fillHeader(fill, value);
  const never = (name: string): boolean =>
    broker !== undefined &&
    (isOverridingHeader(name) ||
      (fill === undefined && CREDENTIALS.has(name.replaceAll('_', '-'))) ||
      (UNSCRUBBABLE.has(name.replaceAll('_', '-')) && !mayPass(broker)));
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && name !== 'host' && !never(name)) sent[name] = filled(value);
  }
  if (broker !== undefined && !mayPass(broker)) sent['accept-encoding'] = 'identity';
  for (const [name, value] of Object.entries(broker?.headers ?? {})) sent[name.toLowerCase()] = value;
  sent.host = target.host;
  return sent;
}

function headersOf(
  { headers }: IncomingMessage,
  secrets: readonly Buffer[],
  decoded: boolean,
): Record<string, string | string[]> {
  const received: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (
      value === undefined ||
      HOP_BY_HOP.has(name) ||
      NEVER_ANSWERED.has(name) ||
      (decoded && (name === 'content-encoding' || name === 'content-length'))
    )
      continue;
    received[name] = Array.isArray(value) ? value.map((one) => scrubText(secrets, one)) : scrubText(secrets, value);
  }
  return received;
}

/** Decodes, then removes secrets; undefined for an unsupported encoding. */
function cleaning(
  method: string | undefined,
  { headers, statusCode }: IncomingMessage,
  secrets: readonly Buffer[],
): Transform[] | undefined {
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) return undefined;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // Without a body there is nothing to decode.
  if (
    coding === 'identity' ||
    coding === '' ||
    statusCode === 304 ||
    method === 'HEAD' ||
    headers['content-length'] === '0'
  )
    return [createScrubber(secrets)];
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  return decoder && [decoder(), createScrubber(secrets)];
}

const SPENT = new Error('the budget is spent');

function counted(budget: Budget): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (budget.takeBytes(chunk.length)) done(null, chunk);
      else done(SPENT);
    },
  });
}
