// Reads of chats.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type PagePlace, type ThreadPage, type ThreadPages } from './thread-pages.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

const LATEST_MESSAGES = 50;
/** Someone who goes back often goes far. */
const OTHER_MESSAGES = 100;
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

/** The next page has earlier messages, the previous page later ones. It opens at a message, or with the latest. */
export function threadQuery(thread: string, message?: string) {
  return infiniteQueryOptions({
    queryKey: [...api.threads.show.key(), thread],
    queryFn: ({ pageParam, signal }) => readPage(thread, pageParam, signal),
    initialPageParam: openAt(message),
    getNextPageParam: ({ before }: ThreadPage) => (before === undefined ? undefined : { before }),
    getPreviousPageParam: ({ after }: ThreadPage) => (after === undefined ? undefined : { after }),
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
    refetchOnReconnect: ({ state: { data } }) => (data?.pages.length ?? 0) <= REREAD_PAGES,
  });
}

function openAt(message: string | undefined): PagePlace | undefined {
  return message === undefined ? undefined : { around: message };
}

function readPage(thread: string, place: PagePlace | undefined, signal?: AbortSignal): Promise<ThreadPage> {
  const limit = place === undefined ? LATEST_MESSAGES : OTHER_MESSAGES;
  return client.threads.show({ thread, limit, ...place }, signal && { signal });
}

/** Replaces what is loaded of a thread with one page: the latest messages, or those around one, if the thread has it. */
export async function reopenThread(queryClient: QueryClient, thread: string, message?: string): Promise<boolean> {
  const { queryKey } = threadQuery(thread);
  await queryClient.cancelQueries({ queryKey });
  const place = message === undefined ? undefined : { around: message };
  const page = await readPage(thread, place);
  if (message !== undefined && !page.thread.messages.some(({ id }) => id === message)) return false;
  queryClient.setQueryData<ThreadPages>(queryKey, { pages: [page], pageParams: [place] });
  return true;
}
