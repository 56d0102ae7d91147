// Queries that several features share: workspaces and the members of the organization.
import { queryOptions } from '@tanstack/react-query';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { api, client } from '../api/client.ts';

/** Pickers load everything; with more pages than this a picker would be the wrong control. */
const PICKER_PAGES = 5;
const PICKER_PAGE_SIZE = 200;

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

/** The members of the organization. */
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
