// Jira and Confluence: an account may reach several sites, and every API path is below one of them. The site is
// resolved here, so the caller's path is relative to it and cannot leave it.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import { NangoError } from '../../nango/nango-error.ts';
import { readRequest } from '../map-arguments.ts';
import {
  type Arguments,
  type ConnectorOn,
  type PreparedCall,
  type ProviderContext,
  remainingMs,
  sendThroughProxy,
} from '../provider-call.ts';
import type { ToolDeps } from '../tool-deps.ts';

type Product = ConnectorOn<'resource-aware-get'>['resource']['product'];

const SITE = /^[A-Za-z0-9-]{1,64}$/;

export function prepareResourceAwareGet(
  { resource: { product } }: ConnectorOn<'resource-aware-get'>,
  _toolName: string,
  given: Arguments,
): PreparedCall {
  const request = readRequest(given);
  return async (deps, context) => {
    const site = await findSite(deps, context, product);
    const answer = await sendThroughProxy(context, { ...request, path: `/ex/${product}/${site}${request.path}` });
    // The site may have been moved or removed: the next call looks it up again.
    if (answer.status === 404 || answer.status === 401) deps.sites.forget(siteKey(context));
    return answer;
  };
}

/** The site chosen when the account was connected is stored with it; otherwise it is looked up and cached. */
async function findSite(deps: ToolDeps, context: ProviderContext, product: Product): Promise<string> {
  const { cloudId } = context.reference;
  if (cloudId !== undefined && SITE.test(cloudId)) return cloudId;
  return deps.sites.get(
    siteKey(context),
    async () => (await findChosenSite(context)) ?? findFirstSite(context, product),
  );
}

/** A reconnected account may reach other sites. */
function siteKey({ connection: { id, updatedAt } }: ProviderContext): CacheKey {
  return cacheKey(id, updatedAt.getTime());
}

/** As recorded at the integration provider, which need not know it. */
async function findChosenSite({
  provider,
  reference,
  deadlineMs,
  signal,
}: ProviderContext): Promise<string | undefined> {
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

async function findFirstSite(context: ProviderContext, product: Product): Promise<string> {
  const answer = await sendThroughProxy(context, {
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
