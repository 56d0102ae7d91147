// Reads of prompts.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

const OFFERED = 20;

export function promptsQuery(organization: string, search: string) {
  return infiniteQueryOptions({
    queryKey: [...api.prompts.list.key(), organization, search],
    queryFn: ({ pageParam, signal }) =>
      client.prompts.list({ organization, ...(search === '' ? {} : { search }), ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

/** What the composer suggests. */
export function offeredPromptsQuery(organization: string, search: string) {
  return queryOptions({
    queryKey: [...api.prompts.list.key(), organization, search, 'offered'],
    queryFn: ({ signal }) =>
      client.prompts.list({ organization, limit: OFFERED, ...(search === '' ? {} : { search }) }, { signal }),
    staleTime: 30_000,
  });
}
