import type { UpstreamRequest } from '../../model-providers/call-upstream.ts';
import type { Protocol } from '../../model-providers/codecs/neutral.ts';

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
  /** Adds what authorizes the request. */
  readonly authorize: (key: string, request: UpstreamRequest, protocol: Protocol) => UpstreamRequest;
}
