// What a scripted model provider can be told to do, and how it does it. Answers are in the wire formats of the demo
// providers, which the official clients of both providers are tested against.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { splitTokens } from '../../../stand-ins/models/count-tokens.ts';
import { type End, formatFrame, type Reply, type Usage } from '../../../stand-ins/models/reply.ts';
import { findSurface } from '../../../stand-ins/models/surfaces.ts';
import type { Protocol } from '../../../src/model-providers/codecs/neutral.ts';
import { PROTOCOLS } from '../../../src/model-providers/codecs/protocols.ts';
import type { Block, StreamedAnswer } from '../legal-streams/answer.ts';
import { legalStream } from '../legal-streams/legal-stream.ts';
import { wholeAnswer } from '../legal-streams/whole-answer.ts';
import { type Fault, FAULTS, type Parts } from './model-faults.ts';

interface Common {
  /** Only for a request of this path, without a query. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits this long before the headers. */
  readonly delayMs?: number;
}

export interface AnswerScript extends Common {
  /** A greeting when neither this nor a tool call is given. A list is streamed as it stands, a text word by word. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly id?: string;
  }[];
  /** 10 and 5 tokens unless said otherwise. */
  readonly usage?: Usage | 'missing';
  readonly end?: End;
  /** For /v1/embeddings: the vector of every input. */
  readonly embedding?: readonly number[];
  /** Waits this long before every event of a stream, or every 64 characters of a whole answer. */
  readonly dripMs?: number;
  /** Stops in the middle of the answer until this is fulfilled. */
  readonly until?: Promise<unknown>;
  readonly gzip?: true;
  readonly contentType?: string;
  readonly fault?: Fault;
}

interface StatusScript extends Common {
  /** 401, 403, 429, 500, 529 and any other status that is not a success. */
  readonly status: number;
  readonly message?: string;
  /** Instead of an error in the provider's own shape. */
  readonly body?: string;
}

interface RedirectScript extends Common {
  readonly redirectTo: string;
  readonly status?: 301 | 302 | 303 | 307 | 308;
}

/** Blocks of any kind in any order; a stream takes one of the legal orders of events, which the seed chooses. */
export interface BlocksScript extends Common {
  readonly blocks: readonly Block[];
  readonly seed?: number;
  readonly usage?: StreamedAnswer['usage'];
  readonly cut?: boolean;
}

export type Script = AnswerScript | BlocksScript | StatusScript | RedirectScript;

export interface Taken {
  /** Without its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
  /** From 1: makes the ids of answers differ. */
  readonly number: number;
}

interface Fields {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly input?: unknown;
  readonly encoding_format?: string;
}

export async function performScript(script: Script, taken: Taken, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(script.headers ?? {})) response.setHeader(name, value);
  if (script.delayMs !== undefined) await pause(script.delayMs);
  if ('redirectTo' in script)
    return void response.writeHead(script.status ?? 307, { location: script.redirectTo }).end();
  if ('status' in script) return sendError(script, taken, response);
  if ('blocks' in script) return playBlocks(script, taken, response);
  const parts = partsOf(script, taken);
  if (script.fault !== undefined) return void (await FAULTS[script.fault](parts, response));
  response.setHeader('content-type', parts.contentType);
  if (script.gzip)
    return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(parts.all.join('')));
  response.writeHead(200);
  const middle = Math.floor(parts.all.length / 2);
  for (const [index, part] of parts.all.entries()) {
    if (script.dripMs !== undefined) await pause(script.dripMs);
    if (index === middle) await script.until;
    if (response.closed) return;
    response.write(part);
  }
  response.end();
}

const PATHS: Readonly<Record<string, Protocol>> = Object.fromEntries(
  Object.entries(PROTOCOLS).map(([protocol, { path }]) => [path, protocol as Protocol]),
);

function playBlocks(script: BlocksScript, taken: Taken, response: ServerResponse): void {
  const protocol = PATHS[taken.path] ?? 'chat';
  const answer = streamedAnswer(script, taken);
  if (!(taken.json as Fields | undefined)?.stream)
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(wholeAnswer(protocol, answer)));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const bytes of legalStream(protocol, answer, script.seed ?? 0)) response.write(bytes);
  response.end();
}

export function streamedAnswer(
  { blocks, usage = { input: 10, cached: 0, output: 5 }, cut = false }: BlocksScript,
  { path, json, number }: Pick<Taken, 'path' | 'json' | 'number'>,
): StreamedAnswer {
  const start = { '/v1/messages': 'msg_', '/v1/responses': 'resp_' }[path] ?? 'chatcmpl-';
  return {
    id: `${start}scripted${number}`,
    model: (json as Fields | undefined)?.model ?? 'scripted',
    blocks,
    usage,
    cut,
  };
}

function partsOf(script: AnswerScript, taken: Taken): Parts {
  const fields = (taken.json ?? {}) as Fields;
  const last = Array.isArray(fields.input) ? (fields.input.at(-1) as { type?: string } | undefined) : undefined;
  const reply = replyOf(script, fields.model ?? 'scripted', taken.number, last?.type === 'compaction_trigger');
  const surface = findSurface(taken.path);
  const error = errorOf(529, 'Scripted overload.', taken);
  if (surface && fields.stream) {
    const frames = [...surface.stream(reply, fields.stream_options?.include_usage ?? false)];
    return {
      contentType: script.contentType ?? 'text/event-stream; charset=utf-8',
      all: frames.map(formatFrame),
      repeatable: formatFrame(frames.find(({ tokens }) => tokens > 0) ?? { data: '{}' }),
      error: streamedError(taken.path, error),
    };
  }
  const whole =
    surface?.whole(reply) ?? (taken.path === '/v1/embeddings' ? embeddingsOf(script, fields) : modelList(taken));
  return {
    contentType: script.contentType ?? 'application/json',
    all: JSON.stringify(whole).match(/[^]{1,64}/gu) ?? [],
    repeatable: ' '.repeat(64),
    error,
  };
}

/** Only a chat completion's stream has no name for its errors. */
function streamedError(path: string, error: string): string {
  if (path === '/v1/chat/completions') return formatFrame({ data: error });
  return formatFrame({
    event: 'error',
    data:
      path === '/v1/messages'
        ? error
        : JSON.stringify({
            type: 'error',
            code: 'server_error',
            message: 'Scripted overload.',
            param: null,
            sequence_number: 1_000,
          }),
  });
}

export function replyOf(script: AnswerScript, model: string, number: number, compacts = false): Reply {
  const text = script.text ?? (script.toolCalls ? '' : 'Hello from the scripted model.');
  return {
    id: `scripted${number}`,
    model,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    pieces: typeof text === 'string' ? splitTokens(text) : text,
    compacts,
    calls: (script.toolCalls ?? []).map((call, index) => ({ id: `scripted${number}x${index}`, ...call })),
    end: script.end ?? 'complete',
    usage: script.usage === 'missing' ? undefined : (script.usage ?? { inputTokens: 10, outputTokens: 5 }),
  };
}

function embeddingsOf(
  { embedding = [1, 0, 0], usage }: AnswerScript,
  { input, model = 'scripted', encoding_format: format }: Fields,
): object {
  const inputs = Array.isArray(input) ? (input as unknown[]) : [input];
  const tokens = usage === 'missing' ? undefined : (usage?.inputTokens ?? 10);
  const vector = format === 'base64' ? Buffer.from(Float32Array.from(embedding).buffer).toString('base64') : embedding;
  return {
    object: 'list',
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding: vector })),
    model,
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}

function modelList(taken: Taken): object {
  return isAnthropic(taken)
    ? { data: [], has_more: false, first_id: null, last_id: null }
    : { object: 'list', data: [] };
}

function sendError(
  { status, message = `Scripted ${status}.`, body }: StatusScript,
  taken: Taken,
  response: ServerResponse,
): void {
  if (!response.hasHeader('content-type'))
    response.setHeader('content-type', body === undefined ? 'application/json' : 'text/plain');
  response.writeHead(status).end(body ?? errorOf(status, message, taken));
}

const ANTHROPIC_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
const OPENAI_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};

function errorOf(status: number, message: string, taken: Taken): string {
  if (isAnthropic(taken))
    return JSON.stringify({ type: 'error', error: { type: ANTHROPIC_ERRORS[status] ?? 'api_error', message } });
  return JSON.stringify({
    error: {
      message,
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      param: null,
      code: OPENAI_CODES[status] ?? null,
    },
  });
}

export function isAnthropic({ path, headers }: Pick<Taken, 'path' | 'headers'>): boolean {
  return path.startsWith('/v1/messages') || 'x-api-key' in headers || 'anthropic-version' in headers;
}
