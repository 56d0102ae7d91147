import type { UpstreamRequest } from '../../model-providers/call-upstream.ts';
import type { Protocol } from '../../model-providers/codecs/neutral.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

/** A request for an answer, as the model's own provider would take it. */
export interface AccountCall {
  readonly protocol: Protocol;
  readonly model: string;
  readonly body: Loose;
  readonly betas: readonly string[];
}

/** The same as the server takes it. The path is appended to the base URL. */
export interface FittedCall {
  readonly path: string;
  readonly body: Loose;
  /** Those that are sent as a header. */
  readonly betas: readonly string[];
}

export type ReadKey =
  | { readonly fault: string }
  /** `contacts`: an address in the key that is called as well. */
  | { readonly fault?: undefined; readonly key: string; readonly contacts?: string };

export interface AccountRow {
  /** Whether there are embeddings beside its answers. */
  readonly embeds: boolean;
  /** Why no account can have this base URL. */
  readonly findUrlFault: (url: URL, protocol: Protocol) => string | undefined;
  /** The key in the form in which it is stored. */
  readonly readKey: (given: string) => ReadKey;
  readonly fit: (call: AccountCall) => FittedCall;
  /** Adds what authorizes the request. */
  readonly authorize: (key: string, request: UpstreamRequest, protocol: Protocol) => UpstreamRequest;
}
