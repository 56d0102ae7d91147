// What Codex reaches outside its sandbox: the funded model calls of its run, and the tools of the workspace. Keys, policy,
// budget and the run's token stay on this side. The sandbox chooses the content of a request, not the model.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppError } from '../../base/errors.ts';
import type { ConnectAccess } from '../agent/connect-tools.ts';
import { type RunEndpointHandler, readBody, refuse } from '../run-callback-server.ts';
import type { RunModels } from '../run-models.ts';

export interface CodexServing {
  readonly models: RunModels;
  /** The run's model, whatever the request names. */
  readonly model: string;
  readonly connect: ConnectAccess | undefined;
  readonly signal: AbortSignal;
  /** Called before each call of the model. */
  readonly onCall: () => Promise<void>;
  /** Called with a refusal that a retry cannot fix. */
  readonly onRefused: (refusal: AppError) => void;
}

export const RESPONSES_PATH = '/v1/responses';
export const MCP_PATH = '/connect/mcp';
const MODEL_BODY_BYTES = 64 * 1024 * 1024;
const MCP_BODY_BYTES = 2 * 1024 * 1024;
/** The headers of the MCP transport; no others are forwarded from the sandbox. */
const MCP_HEADERS = ['accept', 'content-type', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'] as const;

export function serveCodex(serving: CodexServing): RunEndpointHandler {
  return async (request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const signal = AbortSignal.any([serving.signal, left.signal]);
    if (request.url === RESPONSES_PATH && request.method === 'POST')
      return callModel(serving, request, response, signal);
    if (request.url === MCP_PATH && serving.connect !== undefined)
      return callTools(serving.connect, request, response, signal);
    return refuse(response, 404, 'not_found');
  };
}

async function callModel(
  { models, model, onCall, onRefused }: CodexServing,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const body = parseObject(await readBody(request, MODEL_BODY_BYTES));
  if (body === undefined) return refuse(response, 400, 'invalid_request');
  await onCall();
  const answer = await models.call({ path: RESPONSES_PATH, body: { ...body, model }, signal });
  if (answer.refusal !== undefined && !answer.refusal.retryable) onRefused(answer.refusal);
  return passOn(answer.response, response);
}

async function callTools(
  { url, fetch: send }: ConnectAccess,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const body = await readBody(request, MCP_BODY_BYTES);
  if (body === undefined) return refuse(response, 413, 'request_too_large');
  const headers = Object.fromEntries(
    MCP_HEADERS.flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])),
  );
  return passOn(
    await send(url, {
      method: request.method ?? 'POST',
      headers,
      ...(body === '' ? {} : { body }),
      signal,
      redirect: 'manual',
    }),
    response,
  );
}

const NOT_PASSED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
]);

async function passOn(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !NOT_PASSED.has(name))));
  if (answer.body === null) return void response.end();
  response.flushHeaders();
  return pipeline(Readable.fromWeb(answer.body), response);
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text ?? '');
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
