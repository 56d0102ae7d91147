// A route outside the typed contract, as described in the printed one. Paths are those of the gateway.
import { z } from 'zod';

/** How a caller authenticates: a security scheme of the document, or none. */
export type CallerKind =
  | 'session'
  | 'connectToken'
  | 'webhookSignature'
  | 'deliverySignature'
  | 'debugToken'
  | 'scimToken'
  | 'anyone';
export type FailureShape = 'Error' | 'OpenAiError' | 'AnthropicError' | 'OAuthError' | 'ScimError';
type MediaType =
  | 'application/json'
  | 'application/scim+json'
  | 'application/x-www-form-urlencoded'
  | 'application/x-ndjson'
  | '*/*'
  | 'application/octet-stream'
  | 'application/zip'
  | 'multipart/form-data'
  | 'text/event-stream'
  | 'text/html'
  | 'text/csv'
  | 'text/markdown'
  | 'text/plain';

/** For `text/event-stream` the schema describes one event's data, for `application/x-ndjson` one line. */
export interface Content {
  readonly type: MediaType;
  readonly schema: z.ZodType;
}

export interface DescribedAnswer {
  readonly text: string;
  /** Several if the request decides on the form of the response. */
  readonly content?: readonly Content[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: CallerKind;
  readonly query?: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Content;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** The body of every other status. 4xx responses are derived from the rest of the route: see failures.ts. */
  readonly failure?: FailureShape;
}

/** A JSON response. */
export function json(text: string, schema: z.ZodType): DescribedAnswer {
  return { text, content: [{ type: 'application/json', schema }] };
}

/** Raw bytes. */
export const binary = z.string().meta({ format: 'binary' });
