// Bounds a request on platform credit so that the provider cannot charge more than is held: every field has a known
// price, all input is in the body, and the output is limited.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { FIELD_TABLE } from '../codecs/fields/field-table.ts';
import { creditOf } from '../codecs/fields/rows.ts';
import type { InputPart, NeutralRequest, Protocol } from '../codecs/neutral.ts';
import { createFaults, isAbsent, isObject, type Loose } from '../codecs/read-fields.ts';
import { mediaTokens } from './media-tokens.ts';
import { type Found, refuseReference, type Rule } from './rules.ts';

/** The most a call can use, and the likely size of its input. */
export interface Bound {
  readonly inputTokens: number;
  readonly likelyInputTokens: number;
  readonly outputTokens: number;
  /** Whether input may be charged as cache writes, and for which lifetime at most. */
  readonly cacheWrites: 'none' | 'short' | 'hour';
}

export interface BoundTarget {
  readonly provider: string;
  /** The model's id at the provider. */
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Micro-dollars per output token; it may be higher for a long input. */
  readonly price: { readonly output: number; readonly longInput?: { readonly output: number } };
}

export interface BoundedBody {
  readonly json: string;
  readonly bound: Bound;
}

/** No token is shorter than a byte. */
const MOST_TOKENS_PER_BYTE = 1;
/** Prose is about four bytes per token; code, JSON and other scripts are denser. */
const LIKELY_BYTES_PER_TOKEN = 3;
/** What providers add around a conversation. */
const AROUND_TOKENS = 256;
/** What an answer without its own limit may cost, and its length in any case. */
const UNLIMITED_ANSWER_MICROS = 250_000;
const UNLIMITED_ANSWER_TOKENS = 8_192;

interface LimitRow {
  readonly credit: Rule;
  /** The fields for the output limit. The first one given applies; the first in the list is the one sent. */
  readonly limits: readonly string[];
}

const ROWS: Readonly<Record<Protocol, LimitRow>> = {
  chat: { credit: creditOf(FIELD_TABLE.chat.request), limits: ['max_completion_tokens', 'max_tokens'] },
  responses: { credit: creditOf(FIELD_TABLE.responses.request), limits: ['max_output_tokens'] },
  messages: { credit: creditOf(FIELD_TABLE.messages.request), limits: ['max_tokens'] },
};
const EMBEDDING_CREDIT = creditOf(FIELD_TABLE.embeddings.request);

/** Throws `invalid_request` with every field that is not accepted. */
export function boundRequest(protocol: Protocol, body: Loose, target: BoundTarget): BoundedBody {
  const { credit, limits } = ROWS[protocol];
  const limit = outputLimit(
    limits.map((field) => body[field]).find((given) => typeof given === 'number'),
    target,
  );
  const limited: Record<string, unknown> = { ...body };
  for (const field of limits) delete limited[field];
  limited[limits[0] ?? ''] = limit;

  const found = look(limited, credit, target);
  const json = JSON.stringify(limited);
  const answers = protocol === 'chat' && typeof body['n'] === 'number' ? body['n'] : 1;
  return {
    json,
    bound: {
      ...inputBound(json, found, target.contextWindow),
      outputTokens: limit * answers + thinkingBeyond(body, limit),
      cacheWrites: protocol === 'messages' ? found.cache : 'short',
    },
  };
}

/** The window of an embedding model applies per text; a request may have many. */
export function boundEmbedding(body: Loose, target: BoundTarget): BoundedBody {
  const found = look(body, EMBEDDING_CREDIT, target);
  const json = JSON.stringify(body);
  return { json, bound: { ...inputBound(json, found, Number.MAX_SAFE_INTEGER), outputTokens: 0, cacheWrites: 'none' } };
}

/** The output limit that a request is sent with. */
export function outputLimit(
  asked: number | undefined,
  { maxOutputTokens, price }: Pick<BoundTarget, 'maxOutputTokens' | 'price'>,
): number {
  const affordable =
    price.output > 0
      ? Math.floor(UNLIMITED_ANSWER_MICROS / Math.max(price.output, price.longInput?.output ?? 0))
      : maxOutputTokens;
  return Math.min(asked ?? Math.max(UNLIMITED_ANSWER_TOKENS, affordable), maxOutputTokens);
}

function look(body: Loose, credit: Rule, { provider, model }: BoundTarget): Found {
  const found: Found = {
    faults: createFaults(),
    media: mediaTokens(provider, model),
    dataLength: 0,
    mediaTokens: 0,
    likelyMediaTokens: 0,
    addedTokens: 0,
    cache: 'none',
  };
  credit(body, '', found);
  found.faults.throwAny();
  return found;
}

function inputBound(
  json: string,
  { dataLength, mediaTokens: counted, likelyMediaTokens, addedTokens }: Found,
  contextWindow: number,
): Pick<Bound, 'inputTokens' | 'likelyInputTokens'> {
  const textBytes = Math.max(0, Buffer.byteLength(json) - dataLength);
  return {
    inputTokens: Math.min(
      contextWindow,
      Math.ceil(textBytes * MOST_TOKENS_PER_BYTE) + counted + addedTokens + AROUND_TOKENS,
    ),
    likelyInputTokens: Math.min(contextWindow, Math.ceil(textBytes / LIKELY_BYTES_PER_TOKEN) + likelyMediaTokens + 16),
  };
}

/** Between tool calls a model may think beyond the limit, up to its thinking budget. */
function thinkingBeyond({ thinking }: Loose, limit: number): number {
  const budget = isObject(thinking) ? thinking['budget_tokens'] : undefined;
  return typeof budget === 'number' && budget >= limit ? budget : 0;
}

/**
 * A thread stands for messages that are not in the request. It is refused before its beta switch: on this refusal
 * Anthropic's client continues by itself and sends the whole conversation without either.
 */
export function refuseThread({ thread }: Loose): void {
  const faults = createFaults();
  if (!isAbsent(thread)) refuseReference(faults, 'thread');
  faults.throwAny();
}

/** A translated request keeps, for each URL, its position in the client's body. */
export function refuseUrls({ messages }: NeutralRequest): void {
  const faults = createFaults();
  const look = (parts: readonly InputPart[]): void => {
    for (const part of parts)
      if (part.type !== 'text' && part.source.kind === 'url') refuseReference(faults, part.source.at ?? 'messages');
  };
  for (const message of messages) {
    if (message.role === 'user') look(message.parts);
    else if (message.role === 'tool') for (const { parts } of message.results) look(parts);
  }
  faults.throwAny();
}

const PRICIER = 'it changes the price of the request';
const STORED = 'it accesses data stored at the provider';
const CHARGED = 'the provider charges extra for it';

/** It changes nothing for a model that has the long window anyway. */
const LONG_WINDOW = { beta: /^context-1m-/, tokens: 1_000_000 };

export const REFUSED_BETAS: readonly (readonly [RegExp, string])[] = [
  [LONG_WINDOW.beta, PRICIER],
  [/^fast-mode-/, PRICIER],
  [/^output-300k-/, PRICIER],
  [/^compact-/, PRICIER],
  [/^server-side-fallback-/, PRICIER],
  [/^fallback-credit-/, PRICIER],
  [/^message-batches-/, PRICIER],
  [/^advisor-tool-/, CHARGED],
  [/^code-execution-/, CHARGED],
  [/^web-(?:search|fetch)-/, CHARGED],
  [/^mcp-(?:client|tunnels|servers)-/, CHARGED],
  [/^skills-/, STORED],
  [/^files-api-/, STORED],
  [/^message-threads-/, STORED],
  [/^agent-memory-/, STORED],
  [/^managed-agents-/, STORED],
  [/^user-profiles-/, STORED],
  [/^dreaming-/, STORED],
];

const MOST = 50;
const NAME = /^[\w.-]{1,128}$/;

/** The beta switches that a client names. Malformed names are not passed on. */
export function readBetas(headers: IncomingHttpHeaders): string[] {
  const header = headers['anthropic-beta'];
  if (header === undefined) return [];
  const names = [header]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim());
  return [...new Set(names.filter((name) => NAME.test(name)))].slice(0, MOST);
}

/** Throws `invalid_request` with every switch that is not accepted. */
export function refuseBetas(
  betas: readonly string[],
  where: 'on platform credit' | 'under Require ZDR',
  { contextWindow }: Pick<BoundTarget, 'contextWindow'>,
): void {
  const rows = where === 'on platform credit' ? REFUSED_BETAS : REFUSED_BETAS.filter(([, why]) => why === STORED);
  const refused = betas.flatMap((name) => {
    if (contextWindow >= LONG_WINDOW.tokens && LONG_WINDOW.beta.test(name)) return [];
    const why = rows.find(([pattern]) => pattern.test(name))?.[1];
    return why === undefined ? [] : [`${name} (${why})`];
  });
  if (refused.length > 0)
    throw new AppError('invalid_request', { 'anthropic-beta': `not accepted ${where}: ${refused.join(', ')}` });
}
