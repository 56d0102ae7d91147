// A route that is not in the typed contract, as the printed contract describes it. Paths are those of the gateway.
import { z } from 'zod';

/** How a caller proves who they are: a security scheme of the document, or nobody is asked. */
export type CallerKind = 'session' | 'connectToken' | 'webhookSignature' | 'debugToken' | 'nobody';
export type FailureShape = 'Error' | 'OpenAiError' | 'AnthropicError' | 'OAuthError';
export type MediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'application/x-ndjson'
  | 'application/octet-stream'
  | 'multipart/form-data'
  | 'text/event-stream'
  | 'text/html'
  | 'text/plain';

/** Of `text/event-stream` the schema is that of one event's data, of `application/x-ndjson` that of one line. */
export interface Content {
  readonly type: MediaType;
  readonly schema: z.ZodType;
}

export interface Answer {
  readonly text: string;
  /** Several, where the request decides in which form it is answered. */
  readonly content?: readonly Content[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: CallerKind;
  readonly query?: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Content;
  readonly answers: Readonly<Record<number, Answer>>;
  /** The body of every other status. Those of 4xx follow from the rest of the route: see failures.ts. */
  readonly failure?: FailureShape;
}

/** An answer in JSON. */
export function json(text: string, schema: z.ZodType): Answer {
  return { text, content: [{ type: 'application/json', schema }] };
}

/** Bytes as they are. */
export const binary = z.string().meta({ format: 'binary' });
