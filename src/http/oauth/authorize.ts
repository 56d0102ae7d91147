// The authorize endpoint. Until client and redirect URI are known to match, an error is shown here; after that, it is
// sent to the client. But anyone can register a client or publish a client document, and an endpoint that redirects
// browsers wherever such a client wants is an open redirector (RFC 9700, 4.11), so this endpoint never redirects to a
// client. An error also becomes a request: the person opens it, sees who asks and what is wrong, and sends it back.
import { createRequest, type NewRequest } from '../../identity/oauth/authorization-request.ts';
import { type ClientDeps, findClient } from '../../identity/oauth/find-client.ts';
import type { OAuthClient } from '../../identity/oauth/oauth-client.ts';
import { OAuthError } from '../../identity/oauth/oauth-error.ts';
import { parseScopes } from '../../identity/oauth/oauth-scopes.ts';
import { isCodeChallenge } from '../../identity/oauth/pkce.ts';
import { matchesRedirect } from '../../identity/oauth/redirect-uri.ts';
import { isOwnResource } from './metadata.ts';
import { single } from './parameters.ts';

export interface AuthorizeDeps extends ClientDeps {
  readonly publicUrl: string;
}

const STATE_MAX = 2_000;

/** Where the browser goes next: to the consent page, through sign-in if needed. */
export async function authorize(deps: AuthorizeDeps, query: URLSearchParams, signedIn: boolean): Promise<string> {
  const { client, redirectUri } = await clientAndRedirect(deps, query);
  const asked = readAsked(query, deps.publicUrl, client);
  const id = await createRequest(deps, {
    ...asked,
    clientId: client.id,
    clientName: client.name,
    clientUri: client.uri,
    redirectUri,
  });
  const consent = `/consent?request=${id}`;
  return signedIn ? consent : `/sign-in?next=${encodeURIComponent(consent)}`;
}

type Asked = Pick<NewRequest, 'scopes' | 'offline' | 'codeChallenge' | 'state' | 'fault'>;

function readAsked(query: URLSearchParams, publicUrl: string, client: OAuthClient): Asked {
  try {
    return readQuery(query, publicUrl, client);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const states = query
      .getAll('state')
      .filter((state) => state !== '' && state.length <= STATE_MAX && !state.includes('\0'));
    return {
      scopes: [],
      offline: false,
      codeChallenge: '',
      state: states[0],
      fault: { error: error.error, description: error.message },
    };
  }
}

async function clientAndRedirect(
  deps: AuthorizeDeps,
  query: URLSearchParams,
): Promise<{ client: OAuthClient; redirectUri: string }> {
  const clientId = single(query, 'client_id');
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing.');
  const client = await findClient(deps, clientId);
  if (!client) throw new OAuthError('invalid_client', 'The client is not registered here. Register it again.');
  const redirectUri =
    single(query, 'redirect_uri') ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
  if (redirectUri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is missing.');
  if (!matchesRedirect(client.redirectUris, redirectUri))
    throw new OAuthError('invalid_request', 'redirect_uri is not registered for this client.');
  return { client, redirectUri };
}

function readQuery(query: URLSearchParams, publicUrl: string, client: OAuthClient): Asked {
  if (single(query, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  const codeChallenge = single(query, 'code_challenge');
  if (!isCodeChallenge(codeChallenge) || single(query, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'PKCE is required: send code_challenge with code_challenge_method=S256.');
  }
  const state = single(query, 'state');
  if (state !== undefined && state.length > STATE_MAX)
    throw new OAuthError('invalid_request', `state has more than ${STATE_MAX} characters.`);
  if (query.getAll('resource').some((resource) => !isOwnResource(resource, publicUrl))) {
    throw new OAuthError('invalid_target', 'resource must be the MCP endpoint of this service.');
  }
  const { scopes, offline } = parseScopes(single(query, 'scope'));
  return { scopes, offline: offline || client.grantTypes.includes('refresh_token'), codeChallenge, state };
}
