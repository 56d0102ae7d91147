// Jira and Confluence: an account reaches several sites, and every path of the API lives below one of them. The site
// is found here, so that the caller's path begins at the site and cannot leave it.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import { NangoError } from '../../nango/nango-error.ts';
import { remainingMs, type Sending, sendThroughProxy } from '../provider-sending.ts';
import { readRequest } from '../read-request.ts';
import type { ToolDeps } from '../tool-deps.ts';
import type { Arguments, ConnectorOn, PreparedCall } from './prepare-call.ts';

type Product = ConnectorOn<'resource-aware-get'>['resource']['product'];

const SITE = /^[A-Za-z0-9-]{1,64}$/;

export function prepareResourceAwareGet(
  { resource: { product } }: ConnectorOn<'resource-aware-get'>,
  given: Arguments,
): PreparedCall {
  const request = readRequest(given);
  return async (deps, sending) => {
    const site = await findSite(deps, sending, product);
    const answer = await sendThroughProxy(sending, { ...request, path: `/ex/${product}/${site}${request.path}` });
    // A site that was moved or taken away is looked for again at the next call.
    if (answer.status === 404 || answer.status === 401) deps.sites.forget(siteKey(sending));
    return answer;
  };
}

/** The site that was chosen when the account was connected is stored with it; any other is looked for and kept a while. */
async function findSite(deps: ToolDeps, sending: Sending, product: Product): Promise<string> {
  const { cloudId } = sending.reference;
  if (cloudId !== undefined && SITE.test(cloudId)) return cloudId;
  return deps.sites.get(
    siteKey(sending),
    async () => (await findChosenSite(sending)) ?? findFirstSite(sending, product),
  );
}

/** An account that was connected anew may reach other sites. */
function siteKey({ connection: { id, updatedAt } }: Sending): CacheKey {
  return cacheKey(id, updatedAt.getTime());
}

/** As the provider knows it. Not knowing it is no failure. */
async function findChosenSite({ provider, reference, deadlineMs, signal }: Sending): Promise<string | undefined> {
  try {
    const { cloudId } = await provider.getConnection(reference.integrationId, reference.connectionId, {
      timeoutMs: remainingMs(deadlineMs),
      signal,
    });
    return cloudId !== undefined && SITE.test(cloudId) ? cloudId : undefined;
  } catch (error) {
    if (error instanceof NangoError) return undefined;
    throw error;
  }
}

async function findFirstSite(sending: Sending, product: Product): Promise<string> {
  const answer = await sendThroughProxy(sending, {
    method: 'GET',
    path: '/oauth/token/accessible-resources',
    query: [],
  });
  if (answer.status === 401) throw new AppError('reconnect_required');
  const listed: unknown = answer.status === 200 ? JSON.parse(answer.data) : undefined;
  const sites = Array.isArray(listed) ? (listed as { id?: unknown; scopes?: unknown }[]) : [];
  const site = sites.find(
    ({ id, scopes }) =>
      typeof id === 'string' &&
      SITE.test(id) &&
      Array.isArray(scopes) &&
      scopes.some((scope) => String(scope).includes(product)),
  );
  if (typeof site?.id !== 'string') throw new AppError('provider_site_not_found');
  return site.id;
}
