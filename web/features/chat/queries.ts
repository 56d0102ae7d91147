// Reads of chats.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ThreadPage } from './thread-pages.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

const LATEST_MESSAGES = 50;
/** Someone who goes back often goes far, such as to a message that was found. */
const EARLIER_MESSAGES = 100;
const SHARED_MESSAGES = 100;
const FOUND = 20;
/** A thread with more pages than this is not refetched when its tab gets the focus. */
const REREAD_PAGES = 2;

export type ThreadView = 'active' | 'archived' | 'all';

export function threadsQuery(organization: string, search = '', show: ThreadView = 'active') {
  return infiniteQueryOptions({
    queryKey: [...api.threads.list.key(), organization, search, show],
    queryFn: ({ pageParam, signal }) =>
      client.threads.list(
        {
          organization,
          ...(search === '' ? {} : { search }),
          ...(show === 'active' ? {} : { show }),
          ...pageAt(pageParam),
        },
        { signal },
      ),
    ...byCursor,
  });
}

/** Messages that contain the words, latest first. */
export function searchQuery(organization: string, q: string, limit: number = FOUND) {
  return infiniteQueryOptions({
    queryKey: [...api.threads.search.key(), organization, q, limit],
    queryFn: ({ pageParam, signal }) =>
      client.threads.search(
        { organization, q, limit, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
    enabled: q.trim() !== '',
  });
}

export function shareQuery(thread: string) {
  return queryOptions({
    queryKey: [...api.threads.share.show.key(), thread],
    queryFn: ({ signal }) => client.threads.share.show({ thread }, { signal }),
  });
}

/** What a link shows; the first page has the latest messages. */
export function sharedQuery(share: string) {
  return infiniteQueryOptions({
    queryKey: [...api.shares.show.key(), share],
    queryFn: ({ pageParam, signal }) =>
      client.shares.show(
        { share, limit: SHARED_MESSAGES, ...(pageParam === undefined ? {} : { before: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.before,
  });
}

/** The first page has the latest messages, the next page those before them. */
export function threadQuery(thread: string) {
  return infiniteQueryOptions({
    queryKey: [...api.threads.show.key(), thread],
    queryFn: ({ pageParam, signal }): Promise<ThreadPage> =>
      client.threads.show(
        pageParam === undefined
          ? { thread, limit: LATEST_MESSAGES }
          : { thread, limit: EARLIER_MESSAGES, before: pageParam },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: ThreadPage) => last.before,
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
    refetchOnReconnect: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
  });
}
