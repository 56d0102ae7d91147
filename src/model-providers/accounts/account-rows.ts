// What differs between the servers that a Models account can point at: one row per way of being authorized. The rest of
// the code asks the row.
import type { AccountAuth } from '../../contract/models-account.ts';
import type { UpstreamRequest } from '../call-upstream.ts';
import type { Protocol } from '../codecs/neutral.ts';
import { PROTOCOLS } from '../codecs/protocols.ts';
import type { Loose } from '../codecs/read-fields.ts';

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

export const ACCOUNT_ROWS: Readonly<Record<AccountAuth, AccountRow>> = {
  bearer: {
    embeds: true,
    findUrlFault: ({ search }) => (search === '' ? undefined : 'must end with its path, which includes /v1'),
    readKey: readHeaderKey,
    fit: fitPlain,
    authorize: (key, request, protocol) =>
      withHeaders(request, {
        authorization: `Bearer ${key}`,
        ...(protocol === 'messages' ? MESSAGES_VERSION : {}),
      }),
  },
};

/** Anthropic's version of its protocol, which every server of it asks for. */
const MESSAGES_VERSION = { 'anthropic-version': '2023-06-01' };

export function withHeaders(request: UpstreamRequest, headers: UpstreamRequest['headers']): UpstreamRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The path below a base URL that includes /v1. */
export const belowV1 = (path: string): string => path.slice('/v1'.length);

function fitPlain({ protocol, body, betas }: AccountCall): FittedCall {
  return { path: belowV1(PROTOCOLS[protocol].path), body, betas };
}

/** A key that is sent in a header as it is. */
function readHeaderKey(key: string): ReadKey {
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { key } : { fault: 'must be printable characters without spaces' };
}
