// MCP clients that the person has approved by OAuth.
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { GrantPage } from '../../../src/contract/grants.ts';
import { byCursor } from '../../api/by-cursor.ts';
import { call } from '../../api/identity.ts';

export const grantKeys = { all: ['grants'] as const };

export const grantsQuery = infiniteQueryOptions({
  queryKey: grantKeys.all,
  queryFn: async ({ pageParam }) =>
    (await call(
      'GET',
      `/api/oauth/grants${pageParam === undefined ? '' : `?cursor=${encodeURIComponent(pageParam)}`}`,
    )) as GrantPage,
  ...byCursor,
});

export async function revokeGrant(id: string): Promise<void> {
  await call('DELETE', `/api/oauth/grants/${encodeURIComponent(id)}`);
}
