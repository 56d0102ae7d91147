// Typed clients of the contract. Imported on demand: the schemas take longer to load than everything else.
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { type Account, requireSession, requireToken } from '../account.ts';
import { connectContract, runtimeContract, webContract } from '../../src/contract/contract.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { failureOf } from './to-failure.ts';

export type WebClient = JsonifiedClient<ContractRouterClient<typeof webContract>>;
export type RuntimeClient = JsonifiedClient<ContractRouterClient<typeof runtimeContract>>;
export type ConnectClient = JsonifiedClient<ContractRouterClient<typeof connectContract>>;

/** Acts with the session of the signed-in user; the other two act with the connect token. */
export function webClient(account: Account): WebClient {
  return createORPCClient(link(webContract, account.url, requireSession(account)));
}

export function runtimeClient(account: Account): RuntimeClient {
  return createORPCClient(link(runtimeContract, `${account.url}/runtime`, requireToken(account)));
}

export function connectClient(account: Account): ConnectClient {
  return createORPCClient(link(connectContract, account.url, requireToken(account)));
}

function link(
  contract: ConstructorParameters<typeof OpenAPILink>[0],
  url: string,
  bearer: string,
): OpenAPILink<Record<never, never>> {
  return new OpenAPILink(contract, {
    url,
    headers: { authorization: `Bearer ${bearer}` },
    async fetch(request) {
      const response = await guardedFetch(request);
      if (response.ok) return response;
      throw await failureOf(response, new URL(request.url).pathname);
    },
  });
}
