// The surfaces of /v1, by path. A row's protocol decides how bodies are read and how errors are written.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Modality } from '../../catalog/model-catalog.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import type { Protocol } from '../../model-providers/codecs/neutral.ts';

export interface ChatSurface {
  /** The name used in metrics. */
  readonly name: string;
  readonly method: 'POST';
  readonly protocol: Protocol;
  readonly modality: Modality;
  readonly cost: RouteCost;
  /** Counts input tokens; no model is called. */
  readonly counts?: true;
  /** Passed on as it is. */
  readonly passes?: true;
}

export const SURFACES: Readonly<Record<string, ChatSurface>> = {
  '/v1/chat/completions': {
    name: 'chat_completions',
    method: 'POST',
    protocol: 'chat',
    modality: 'chat',
    cost: 'provider',
  },
  '/v1/responses': { name: 'responses', method: 'POST', protocol: 'responses', modality: 'chat', cost: 'provider' },
  '/v1/messages': { name: 'messages', method: 'POST', protocol: 'messages', modality: 'chat', cost: 'provider' },
  '/v1/messages/count_tokens': {
    name: 'count_tokens',
    method: 'POST',
    protocol: 'messages',
    modality: 'chat',
    cost: 'provider',
    counts: true,
  },
  '/v1/embeddings': { name: 'embeddings', method: 'POST', protocol: 'chat', modality: 'embedding', cost: 'provider' },
};

const PASSED: ChatSurface = {
  name: 'passed',
  method: 'POST',
  protocol: 'chat',
  modality: 'chat',
  cost: 'provider',
  passes: true,
};
/** By path pattern, as the table of costs names them. */
export const PASSED_PATHS: Readonly<Record<string, RegExp>> = {
  '/v1/audio/{name}': /^\/v1\/audio\/[a-z_]{1,40}$/,
  '/v1/images/{name}': /^\/v1\/images\/[a-z_]{1,40}$/,
  '/v1/moderations': /^\/v1\/moderations$/,
  '/v1/responses/compact': /^\/v1\/responses\/compact$/,
};

export function findPassedPath(path: string): string | undefined {
  return Object.entries(PASSED_PATHS).find(([, pattern]) => pattern.test(path))?.[0];
}

export function findSurface(path: string): ChatSurface | undefined {
  return SURFACES[path] ?? (findPassedPath(path) === undefined ? undefined : PASSED);
}

export interface V1Caller extends TurnCaller {
  readonly expiresAtMs: number;
}

/** A request whose sender is known. Built once and passed on whole. */
export interface V1Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: V1Caller;
  readonly path: string;
}
