// What differs between the servers that a Models account can point at: one row per way of being authorized. The rest of
// the code asks the row.
import type { AccountAuth } from '../../contract/accounts/account-kinds.ts';
import type { UpstreamRequest } from '../../model-providers/call-upstream.ts';
import type { AccountRow, ReadKey } from './account-row.ts';
import { findAzureUrlFault } from './azure.ts';
import { BEDROCK } from './bedrock.ts';
import { VERTEX } from './vertex.ts';

export const ACCOUNT_ROWS: Readonly<Record<AccountAuth, AccountRow>> = {
  bearer: {
    embeds: true,
    findUrlFault: ({ search }) => (search === '' ? undefined : 'must end with its path, which includes /v1'),
    readKey: readHeaderKey,
    authorize: (key, request, protocol) =>
      withHeaders(request, {
        authorization: `Bearer ${key}`,
        ...(protocol === 'messages' ? MESSAGES_VERSION : {}),
      }),
  },
  azure: {
    embeds: true,
    findUrlFault: findAzureUrlFault,
    readKey: readHeaderKey,
    authorize: (key, request) => withHeaders(request, { 'api-key': key }),
  },
  aws: BEDROCK,
  google: VERTEX,
};

/** Anthropic's version of its protocol, which every server of it asks for. */
const MESSAGES_VERSION = { 'anthropic-version': '2023-06-01' };

function withHeaders(request: UpstreamRequest, headers: UpstreamRequest['headers']): UpstreamRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** A key that is sent in a header as it is. */
function readHeaderKey(key: string): ReadKey {
  return /^[\x21-\x7e]{1,4096}$/.test(key) ? { key } : { fault: 'must be printable characters without spaces' };
}
