// Reads that more than one place makes.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { api, client } from '../api/client.ts';

const PAGE_SIZE = 50;
/** Pickers show everything at once; past this many pages a picker would be the wrong control. */
const PICKER_PAGES = 5;
const PICKER_PAGE_SIZE = 200;

export const meQuery = api.me.queryOptions({ staleTime: 30_000 });

export function workspacesQuery(org: string) {
  return queryOptions({
    queryKey: [...api.workspaces.list.key(), 'all', org],
    queryFn: ({ signal }) =>
      readPages<Workspace>(async (page) => {
        const { workspaces, cursor } = await client.workspaces.list({ org, ...page }, { signal });
        return { items: workspaces, cursor };
      }),
  });
}

/** The people one can pick for a workspace. */
export function organizationPeopleQuery(org: string) {
  return queryOptions({
    queryKey: [...api.organizations.members.list.key(), 'all', org],
    queryFn: ({ signal }) =>
      readPages(async (page) => {
        const { members, cursor } = await client.organizations.members.list({ org, ...page }, { signal });
        return { items: members, cursor };
      }),
  });
}

export function organizationMembersQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.organizations.members.list.key(), 'paged', org],
    queryFn: ({ pageParam, signal }) =>
      client.organizations.members.list(
        { org, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
  });
}

export function invitationsQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.organizations.invitations.list.key(), org],
    queryFn: ({ pageParam, signal }) =>
      client.organizations.invitations.list(
        { org, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
  });
}

export function workspaceMembersQuery(ws: string) {
  return infiniteQueryOptions({
    queryKey: [...api.workspaces.members.list.key(), ws],
    queryFn: ({ pageParam, signal }) =>
      client.workspaces.members.list(
        { ws, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
  });
}

export function tokensQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...api.tokens.list.key(), organization],
    queryFn: ({ pageParam, signal }) =>
      client.tokens.list(
        { organization, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
  });
}

const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { cursor?: string | undefined }) => last.cursor,
};

async function readPages<T>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ items: T[]; cursor: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PICKER_PAGES; page++) {
    const answer = await read({ limit: PICKER_PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...answer.items);
    cursor = answer.cursor;
    if (cursor === undefined) break;
  }
  return all;
}
