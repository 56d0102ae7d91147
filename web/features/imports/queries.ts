// Reads of imports. While one is under way it is asked for again; when it ends, a notice makes the rest stale.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ImportOutcome } from '../../../src/contract/imports/import-words.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

const ASK_AGAIN_MS = 1_000;

export function importsQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...api.imports.list.key(), organization],
    queryFn: ({ pageParam, signal }) => client.imports.list({ organization, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

export function importQuery(id: string) {
  return queryOptions({
    queryKey: [...api.imports.show.key(), id],
    queryFn: async ({ signal }) => (await client.imports.show({ import: id }, { signal })).import,
    refetchInterval: ({ state }) => (state.data?.endedAt === undefined ? ASK_AGAIN_MS : false),
  });
}

/** `count` is how many there are: more are another list. */
export function itemsQuery(id: string, outcome: ImportOutcome, count: number) {
  return infiniteQueryOptions({
    queryKey: [...api.imports.items.key(), id, outcome, count],
    queryFn: ({ pageParam, signal }) => client.imports.items({ import: id, outcome, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
