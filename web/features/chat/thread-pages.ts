// The messages of a thread in the query cache: pages, latest first, each in chronological order. A turn's messages are
// added here, so that a long thread is not refetched after every answer. The pages have no gap between them, but need
// not reach the latest message: someone who opens a message that was found reads on from there, in both directions.
import type { InfiniteData } from '@tanstack/react-query';
import type { Message, ShownThread, Thread } from '../../../src/contract/threads.ts';

export interface ThreadPage {
  /** Undefined until the server responds: a new thread belongs where it was started. */
  readonly thread: Omit<ShownThread, 'organization'> & { organization?: string };
  readonly streaming: boolean;
  /** Where earlier messages are, and later ones. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Which page it is; undefined for the latest messages. */
export type PagePlace = { readonly before: number } | { readonly after: number } | { readonly around: string };

export type ThreadPages = InfiniteData<ThreadPage, PagePlace | undefined>;

/** Whether the latest message is among them. */
export function reachesEnd({ pages }: Pick<ThreadPages, 'pages'>): boolean {
  return pages[0]?.after === undefined;
}

export function allMessages({ pages }: Pick<ThreadPages, 'pages'>): Message[] {
  return pages.toReversed().flatMap((page) => page.thread.messages);
}

/** A new thread with its first message. */
export function openPages(thread: Thread, messages: readonly Message[]): ThreadPages {
  return { pages: [{ thread: { ...thread, messages: [...messages] }, streaming: false }], pageParams: [undefined] };
}

/** Appends a message, or replaces it in place. Where later ones are not loaded, it will come with them. */
export function putMessage(data: ThreadPages, message: Message): ThreadPages {
  const known = data.pages.some((page) => page.thread.messages.some(({ id }) => id === message.id));
  return mapPages(data, (page, index) => {
    if (known)
      return withMessages(
        page,
        page.thread.messages.map((each) => (each.id === message.id ? message : each)),
      );
    return index === 0 && reachesEnd(data) ? withMessages(page, [...page.thread.messages, message]) : page;
  });
}

/** Removes a message and everything after it: an edit makes another version of it. */
export function cutFrom(data: ThreadPages, messageId: string): ThreadPages {
  const home = data.pages.findIndex((page) => page.thread.messages.some(({ id }) => id === messageId));
  if (home < 0) return data;
  return mapPages(data, (page, index) => {
    if (index > home) return page;
    const at = page.thread.messages.findIndex(({ id }) => id === messageId);
    const { after: _gone, ...last } = page;
    return withMessages(last, index === home ? page.thread.messages.slice(0, at) : []);
  });
}

/** Removes everything after a message, which is asked again. */
export function cutAfter(data: ThreadPages, message: Message): ThreadPages {
  return putMessage(cutFrom(data, message.id), message);
}

export function findMessage({ pages }: Pick<ThreadPages, 'pages'>, id: string): Message | undefined {
  return pages.flatMap((page) => page.thread.messages).find((message) => message.id === id);
}

/** How the last answer ended, as far as it is stored. */
export function lastEnd(data: ThreadPages | undefined): 'done' | 'stopped' | 'failed' | 'run' {
  if (data && !reachesEnd(data)) return 'done';
  const last = data && allMessages(data).at(-1);
  if (last?.role !== 'assistant' || last.metadata.finish === 'error') return 'failed';
  if (last.metadata.finish === 'stopped') return 'stopped';
  return last.parts.some(({ type }) => type === 'data-job') ? 'run' : 'done';
}

export function setStreaming(data: ThreadPages, streaming: boolean): ThreadPages {
  return mapPages(data, (page, index) => (index === 0 ? { ...page, streaming } : page));
}

function mapPages(data: ThreadPages, change: (page: ThreadPage, index: number) => ThreadPage): ThreadPages {
  return { ...data, pages: data.pages.map(change) };
}

function withMessages(page: ThreadPage, messages: Message[]): ThreadPage {
  return { ...page, thread: { ...page.thread, messages } };
}
