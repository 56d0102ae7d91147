// What the runtime serves under /runtime: a typed client of its contract, and plain requests for what is no JSON.
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { runtimeRoutes } from 'virtual:contract-routes';
import type { runtimeContract } from '../../src/contract/contract.ts';
import type { Scope } from '../../src/contract/tokens.ts';
import { withConnectToken } from './connect-token.ts';
import { errorCode } from './fault.ts';

interface CallContext {
  /** Whose token pays the way: tokens are of one organization. */
  readonly organization: string;
  /** Whether it starts a run, which then has the scopes of this token. */
  readonly startsRun?: boolean;
}

type Client = JsonifiedClient<ContractRouterClient<typeof runtimeContract, CallContext>>;

const SCOPES: readonly Scope[] = ['receipts:read', 'jobs:read', 'jobs:write'];
/** The person is signed in, so the run may use whatever they may. */
const RUN_SCOPES: readonly Scope[] = ['jobs:write', 'connect:read', 'connect:write'];
const BASE = `${window.location.origin}/runtime`;

export const runtime: Client = createORPCClient(
  new OpenAPILink<CallContext>(runtimeRoutes, {
    url: BASE,
    fetch: (request, init, { context }) =>
      withConnectToken(context.organization, context.startsRun === true ? RUN_SCOPES : SCOPES, (authorization) => {
        const repeated = request.clone();
        repeated.headers.set('authorization', authorization);
        return fetch(repeated, init);
      }),
    customErrorResponseBodyDecoder: (body, { status }) =>
      new ORPCError(errorCode(body, status), { status, data: body }),
  }),
);

/** An answer that is read as it comes; a refusal is thrown like any other. */
export async function fetchRuntime(
  organization: string,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const response = await withConnectToken(organization, SCOPES, (authorization) =>
    fetch(`${BASE}${path}`, { ...init, headers: { ...init.headers, authorization } }),
  );
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw new ORPCError(errorCode(body, response.status), { status: response.status, data: body });
}
