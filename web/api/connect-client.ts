// What the connection service serves under /connect: a typed client of its contract, and plain requests for the rest.
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { connectRoutes } from 'virtual:contract-routes';
import type { connectContract } from '../../src/contract/contract.ts';
import type { Scope } from '../../src/contract/tokens.ts';
import { withConnectToken } from './connect-token.ts';
import { errorCode } from './fault.ts';

interface CallContext {
  /** Whose token pays the way: tokens are of one organization. */
  readonly organization: string;
  /** What the token may do: no more than the call needs. */
  readonly access: Access;
}

export type Access = 'read' | 'write';

type Client = JsonifiedClient<ContractRouterClient<typeof connectContract, CallContext>>;

const SCOPES = { read: ['connect:read'], write: ['connect:read', 'connect:write'] } as const satisfies Record<
  Access,
  readonly Scope[]
>;

const client: Client = createORPCClient(
  new OpenAPILink<CallContext>(connectRoutes, {
    url: window.location.origin,
    fetch: (request, init, { context: { organization, access } }) =>
      withConnectToken(organization, SCOPES[access], (authorization) => {
        const repeated = request.clone();
        repeated.headers.set('authorization', authorization);
        return fetch(repeated, init);
      }),
    customErrorResponseBodyDecoder: (body, { status }) =>
      new ORPCError(errorCode(body, status), { status, data: body }),
  }),
);

export const connections = client.connections;

interface ConnectRequest extends RequestInit {
  readonly headers?: Record<string, string>;
  readonly access?: Access;
}

/** An answer as it is; a refusal is thrown like any other. */
export async function fetchConnect(
  organization: string,
  path: string,
  { access = 'read', headers, ...init }: ConnectRequest = {},
): Promise<Response> {
  const response = await withConnectToken(organization, SCOPES[access], (authorization) =>
    fetch(`/connect${path}`, { ...init, headers: { ...headers, authorization } }),
  );
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw new ORPCError(errorCode(body, response.status), { status: response.status, data: body });
}
