// MCP clients that the person has approved by OAuth.
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Scope } from '../../../src/contract/tokens.ts';
import { call } from '../../api/identity.ts';

export interface Grant {
  readonly id: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly organization: string;
  readonly workspace?: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly usedAt: string;
}

interface GrantPage {
  readonly grants: readonly Grant[];
  readonly cursor?: string;
}

export const grantKeys = { all: ['grants'] as const };

export const grantsQuery = infiniteQueryOptions({
  queryKey: grantKeys.all,
  queryFn: async ({ pageParam }) =>
    (await call(
      'GET',
      `/api/oauth/grants${pageParam === undefined ? '' : `?cursor=${encodeURIComponent(pageParam)}`}`,
    )) as GrantPage,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.cursor,
});

export async function revokeGrant(id: string): Promise<void> {
  await call('DELETE', `/api/oauth/grants/${encodeURIComponent(id)}`);
}
