// Carries one request to its target and the answer back, streaming both ways. Redirects are handed on, never followed:
// a credential goes to its own target and nowhere else.
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import type { Budget } from './budget.ts';

export interface Forward {
  readonly target: URL;
  /** Of a broker: set on the far side, and then no credential of the run's own is passed on. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly budget: Budget;
  readonly lookup?: LookupFunction;
}

/** A model may think for minutes before its first byte. */
const SILENCE_MS = 600_000;
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect']);
/** A run has no credential of its own; what it sends as one is not ours to pass on. */
const NEVER_SENT = new Set(['authorization', 'cookie', 'x-api-key', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);
const NEVER_ANSWERED = new Set(['set-cookie']);

export function forwardRequest(request: IncomingMessage, response: ServerResponse, { target, headers, budget, lookup }: Forward): void {
  if (!budget.takeRequest()) return void response.writeHead(429, { 'content-type': 'text/plain', connection: 'close' }).end('The budget of this run is spent.\n');
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && name !== 'host' && !(headers !== undefined && NEVER_SENT.has(name))) sent[name] = value;
  }
  for (const [name, value] of Object.entries(headers ?? {})) sent[name.toLowerCase()] = value;
  sent.host = target.host;

  const call = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, { method: request.method, headers: sent, timeout: SILENCE_MS, agent: false, ...(lookup === undefined ? {} : { lookup }) });
  const fail = (status: number, text: string): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
  };
  call.on('timeout', () => call.destroy(new Error('silent')));
  call.on('error', () => fail(502, 'The host could not be reached.'));
  response.on('close', () => call.destroy());
  call.on('response', (answer) => {
    const received: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined && !HOP_BY_HOP.has(name) && !NEVER_ANSWERED.has(name)) received[name] = value;
    response.writeHead(answer.statusCode ?? 502, received);
    response.flushHeaders();
    pipeline(answer, counted(budget), response, (error) => error && response.destroy());
  });
  pipeline(request, counted(budget), call, (error) => {
    if (error) fail(error === SPENT ? 429 : 502, error === SPENT ? 'The budget of this run is spent.' : 'The host could not be reached.');
  });
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
