// Typed clients of the services that take a token instead of the session: the runtime under /runtime and the connection
// service under /connect. Tokens are made from the session, last 15 minutes, and are kept only in this page's memory.
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { connectRoutes, runtimeRoutes } from 'virtual:contract-routes';
import type { connectContract, runtimeContract } from '../../src/contract/contract.ts';
import type { Scope } from '../../src/contract/tokens.ts';
import { client } from './client.ts';
import { errorCode } from './fault.ts';
import { createTokenKeeper } from './keep-tokens.ts';

/** A token belongs to one organization. */
interface RuntimeContext {
  readonly organization: string;
  /** Whether the call starts a run, which then has the scopes of this token. */
  readonly startsRun?: boolean;
}

export type Access = 'read' | 'write';

interface ConnectContext {
  readonly organization: string;
  /** The token gets no more scopes than the call needs. */
  readonly access: Access;
}

type RuntimeClient = JsonifiedClient<ContractRouterClient<typeof runtimeContract, RuntimeContext>>;
type ConnectClient = JsonifiedClient<ContractRouterClient<typeof connectContract, ConnectContext>>;

const RUNTIME_SCOPES: readonly Scope[] = ['receipts:read', 'jobs:read', 'jobs:write'];
/** The person is signed in, so the run may use everything they may use. */
const RUN_SCOPES: readonly Scope[] = ['jobs:write', 'connect:read', 'connect:write'];
const CONNECT_SCOPES = { read: ['connect:read'], write: ['connect:read', 'connect:write'] } as const satisfies Record<
  Access,
  readonly Scope[]
>;
const RUNTIME_URL = `${location.origin}/runtime`;

export const runtime: RuntimeClient = createORPCClient(
  new OpenAPILink<RuntimeContext>(runtimeRoutes, {
    url: RUNTIME_URL,
    fetch: (request, init, { context: { organization, startsRun } }) =>
      sendWithToken(organization, startsRun === true ? RUN_SCOPES : RUNTIME_SCOPES, request, init),
    customErrorResponseBodyDecoder: (body, { status }) => toError(body, status),
  }),
);

const connect: ConnectClient = createORPCClient(
  new OpenAPILink<ConnectContext>(connectRoutes, {
    url: location.origin,
    fetch: (request, init, { context: { organization, access } }) =>
      sendWithToken(organization, CONNECT_SCOPES[access], request, init),
    customErrorResponseBodyDecoder: (body, { status }) => toError(body, status),
  }),
);

export const connections = connect.connections;

interface PlainRequest extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** The raw response, for what is not JSON. Throws what the typed client would. */
export function fetchRuntime(organization: string, path: string, init: PlainRequest = {}): Promise<Response> {
  return fetchWithToken(organization, RUNTIME_SCOPES, `${RUNTIME_URL}${path}`, init);
}

/** The raw response of the connection service. Throws what the typed client would. */
export function fetchConnect(
  organization: string,
  path: string,
  { access = 'read', ...init }: PlainRequest & { readonly access?: Access } = {},
): Promise<Response> {
  return fetchWithToken(organization, CONNECT_SCOPES[access], `/connect${path}`, init);
}

async function fetchWithToken(
  organization: string,
  scopes: readonly Scope[],
  url: string,
  init: PlainRequest,
): Promise<Response> {
  const response = await withConnectToken(organization, scopes, (authorization) =>
    fetch(url, { ...init, headers: { ...init.headers, authorization } }),
  );
  if (response.ok) return response;
  throw toError(await response.json().catch(() => undefined), response.status);
}

function sendWithToken(
  organization: string,
  scopes: readonly Scope[],
  request: Request,
  init: RequestInit,
): Promise<Response> {
  return withConnectToken(organization, scopes, (authorization) => {
    const authorized = request.clone();
    authorized.headers.set('authorization', authorization);
    return fetch(authorized, init);
  });
}

function toError(body: unknown, status: number): ORPCError<string, unknown> {
  return new ORPCError(errorCode(body, status), { status, data: body });
}

const keeper = createTokenKeeper(Date.now);

/** A token that is refused, because it was revoked or a clock is wrong, is replaced once. */
async function withConnectToken(
  organization: string,
  scopes: readonly Scope[],
  send: (authorization: string) => Promise<Response>,
): Promise<Response> {
  const key = `${organization} ${scopes.join(' ')}`;
  const getToken = (): Promise<string> =>
    keeper.get(key, async () => {
      const { token, expiresAt } = await client.tokens.create({ organization, scopes: [...scopes], expiresIn: '15m' });
      return { token, expiresAtMs: Date.parse(expiresAt) };
    });
  const response = await send(`Bearer ${await getToken()}`);
  if (response.status !== 401) return response;
  keeper.drop(key);
  return send(`Bearer ${await getToken()}`);
}
