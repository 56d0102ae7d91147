// A request to Anthropic, in the form the rules use.
import type { IncomingHttpHeaders } from 'node:http';
import { anthropicModel, type AnthropicModel } from './anthropic-models.ts';
import { asObject, entriesOf, type Loose } from './loose.ts';

export interface MessagesRequest {
  readonly body: Loose;
  readonly version: string;
  /** The values of `anthropic-beta`. */
  readonly betas: readonly string[];
  /** For /v1/messages/count_tokens. */
  readonly counting: boolean;
  readonly model: AnthropicModel;
}

export interface Message {
  readonly role: unknown;
  readonly content: unknown;
  readonly fields: Loose;
  readonly at: number;
}

export interface Block {
  readonly type: unknown;
  readonly fields: Loose;
  readonly role: unknown;
  /** `messages.1.content.0` */
  readonly path: string;
  readonly message: number;
}

export function readRequest(headers: IncomingHttpHeaders, body: unknown, counting: boolean): MessagesRequest {
  const fields = asObject(body);
  return {
    body: fields,
    version: text(headers['anthropic-version']),
    betas: text(headers['anthropic-beta'])
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    counting,
    model: anthropicModel(typeof fields['model'] === 'string' ? fields['model'] : ''),
  };
}

export function messagesOf({ body }: Pick<MessagesRequest, 'body'>): Message[] {
  return entriesOf(body['messages']).map(({ value, at }) => ({
    role: value['role'],
    content: value['content'],
    fields: value,
    at,
  }));
}

/** The content blocks of every message; string content has none. */
export function blocksOf(request: Pick<MessagesRequest, 'body'>): Block[] {
  return messagesOf(request).flatMap(({ role, content, at: message }) =>
    entriesOf(content).map(({ value, at }) => ({
      type: value['type'],
      fields: value,
      role,
      path: `messages.${message}.content.${at}`,
      message,
    })),
  );
}

export function hasBeta({ betas }: Pick<MessagesRequest, 'betas'>, accepted: readonly string[]): boolean {
  return betas.some((name) => accepted.includes(name));
}

/** Whether thinking is on, in either mode. */
export function thinks({ body }: Pick<MessagesRequest, 'body'>): boolean {
  return ['enabled', 'adaptive'].includes(String(asObject(body['thinking'])['type']));
}

function text(value: string | string[] | undefined): string {
  return [value ?? ''].flat().join(',');
}
