// Where a provider request goes and what pays for it; the threads that prepare large bodies know neither.
import { ACCOUNT_ROWS } from '../keys/accounts/account-rows.ts';
import type { ProviderId, ProviderUrls } from '../model-providers/providers.ts';
import type { Route } from './decide-turn.ts';
import {
  type BodySource,
  getProvider,
  type PreparedBody,
  prepareBody,
  type ProviderRequest,
} from './provider-request.ts';

export function buildProviderRequest(route: Route, source: BodySource, urls: ProviderUrls): ProviderRequest {
  return addressRequest(route, prepareBody(route, source), urls);
}

/** Adds where the request goes and what pays for it. */
export function addressRequest(
  { provider, credential }: Route,
  { path, json, betas = [], contentType = 'application/json', ...prepared }: PreparedBody<string | Buffer>,
  urls: ProviderUrls,
): ProviderRequest {
  const headers = {
    'content-type': contentType,
    'accept-encoding': 'identity',
    'user-agent': 'service',
    ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
  };
  if (credential.kind === 'models-account') {
    const { auth, baseUrl, key } = credential;
    const request = { url: appendPath(baseUrl, path), headers, body: json };
    return { ...prepared, upstream: ACCOUNT_ROWS[auth].authorize(key, request, prepared.protocol) };
  }
  return {
    ...prepared,
    upstream: {
      url: `${urls[provider as ProviderId]}${path}`,
      headers: { ...headers, ...getProvider(provider).authorize(credential.key) },
      body: json,
    },
  };
}

/** The base URL may end with a query. */
function appendPath(baseUrl: string, path: string): string {
  const [address = '', query] = baseUrl.split('?', 2);
  return query === undefined ? `${address}${path}` : `${address}${path}?${query}`;
}
