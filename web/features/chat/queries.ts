// Reads of chats.
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ThreadPage } from './thread-pages.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

const MESSAGES = 50;
/** A thread with more pages than this is not refetched when its tab gets the focus. */
const REREAD_PAGES = 2;

export function threadsQuery(organization: string, search = '') {
  return infiniteQueryOptions({
    queryKey: [...api.threads.list.key(), organization, search],
    queryFn: ({ pageParam, signal }) =>
      client.threads.list(
        {
          organization,
          ...(search === '' ? {} : { search }),
          ...pageAt(pageParam),
        },
        { signal },
      ),
    ...byCursor,
  });
}

/** The first page has the latest messages, the next page those before them. */
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
