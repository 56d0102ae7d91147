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

const passed = (name: string): ChatSurface => ({
  name,
  method: 'POST',
  protocol: 'chat',
  modality: 'chat',
  cost: 'provider',
  passes: true,
});

/** What is passed on as it is. */
export const PASSED: Readonly<Record<string, ChatSurface>> = {
  '/v1/audio/speech': passed('speech'),
  '/v1/audio/transcriptions': passed('transcriptions'),
  '/v1/audio/translations': passed('translations'),
  '/v1/images/generations': passed('image_generations'),
  '/v1/images/edits': passed('image_edits'),
  '/v1/images/variations': passed('image_variations'),
  '/v1/moderations': passed('moderations'),
  '/v1/responses/compact': passed('compact'),
};

export function findSurface(path: string): ChatSurface | undefined {
  return SURFACES[path] ?? PASSED[path];
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
