// The provider's connections of an organization, from its HTTP list and from its database table. Either source may fail
// independently. Only a list that was read to its end proves that a connection is missing.
import { type CacheKey, cacheKey } from '../base/cache-key.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import { NangoError } from '../nango/nango-error.ts';
import type { ProviderConnection } from '../nango/nango-shapes.ts';
import type { StoredProviderConnection } from '../nango/provider-database.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';

export interface Gathered {
  readonly listed: readonly ProviderConnection[];
  /** Whether the list was read to its end. */
  readonly complete: boolean;
  readonly stored: readonly StoredProviderConnection[];
  /** How long the provider asks us to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 200;

export async function gatherProviderConnections(
  { providerDatabase, log }: Pick<ConnectionDeps, 'providerDatabase' | 'log'>,
  client: NangoClient,
  ref: WorkspaceRef,
  signal: AbortSignal,
): Promise<Gathered> {
  const [list, stored] = await Promise.all([
    readList(client, ref.organizationId, signal, (error) =>
      log.warn({ err: error, ...ref }, "read repair could not list the provider's connections"),
    ),
    providerDatabase?.findTagged(ref.organizationId, ref.workspaceId).catch((error: unknown) => {
      log.warn({ err: error, ...ref }, "read repair could not read the provider's database");
      return [];
    }) ?? [],
  ]);
  return { ...list, stored };
}

async function readList(
  client: NangoClient,
  organizationId: string,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<Omit<Gathered, 'stored'>> {
  const listed = new Map<CacheKey, ProviderConnection>();
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const before = listed.size;
      const found = await client.listConnections(
        { tags: { organization_id: organizationId }, page, limit: PAGE_SIZE },
        { signal },
      );
      for (const entry of found) listed.set(cacheKey(entry.integrationId, entry.connectionId), entry);
      // Ends the loop for a provider that ignores the page number.
      if (found.length < PAGE_SIZE || listed.size === before) return { listed: [...listed.values()], complete: true };
    }
    return { listed: [...listed.values()], complete: false };
  } catch (error) {
    failed(error);
    return {
      listed: [...listed.values()],
      complete: false,
      retryAfterSeconds: error instanceof NangoError ? error.retryAfterSeconds : undefined,
    };
  }
}
