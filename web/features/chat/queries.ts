// Reads of chats and models.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ThreadPage } from './thread-pages.ts';
import { api, client } from '../../api/client.ts';

const THREADS = 50;
const MESSAGES = 50;
/** A thread with more pages than this is not read again only because its tab came to the front. */
const REREAD_PAGES = 2;

/** As one scope sees them: of a workspace, or of the organization when none was picked. */
export function modelsQuery(place: { organization: string; workspace: string | undefined }) {
  return queryOptions({
    queryKey: [...api.models.list.key(), place],
    queryFn: ({ signal }) =>
      client.models.list(
        place.workspace === undefined ? { organization: place.organization } : { workspace: place.workspace },
        { signal },
      ),
  });
}

export function threadsQuery(organization: string, search = '') {
  return infiniteQueryOptions({
    queryKey: [...api.threads.list.key(), organization, search],
    queryFn: ({ pageParam, signal }) =>
      client.threads.list(
        {
          organization,
          limit: THREADS,
          ...(search === '' ? {} : { search }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: { cursor?: string | undefined }) => last.cursor,
  });
}

/** Its latest messages first; each further page holds those before. */
export function threadQuery(thread: string) {
  return infiniteQueryOptions({
    queryKey: [...api.threads.show.key(), thread],
    queryFn: ({ pageParam, signal }): Promise<ThreadPage> =>
      client.threads.show(
        { thread, limit: MESSAGES, ...(pageParam === undefined ? {} : { before: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: ThreadPage) => last.before,
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
    refetchOnReconnect: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
  });
}
