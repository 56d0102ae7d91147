// The messages of a thread as they are kept in the query cache: pages, the latest first, each in its own order. What
// a turn adds is added here too, so that a long thread is not read again after every answer.
import type { InfiniteData } from '@tanstack/react-query';
import type { Message, ShownThread, Thread } from '../../../src/contract/threads.ts';

export interface ThreadPage {
  /** Whose it is goes unsaid until the server has been asked: a thread that has just begun is where it was begun. */
  readonly thread: Omit<ShownThread, 'organization'> & { organization?: string };
  readonly streaming: boolean;
  readonly before?: number | undefined;
}

export type ThreadPages = InfiniteData<ThreadPage, number | undefined>;

export function allMessages({ pages }: Pick<ThreadPages, 'pages'>): Message[] {
  return pages.toReversed().flatMap((page) => page.thread.messages);
}

/** A thread that begins with its first message. */
export function openPages(thread: Thread, messages: readonly Message[]): ThreadPages {
  return { pages: [{ thread: { ...thread, messages: [...messages] }, streaming: false }], pageParams: [undefined] };
}

/** Puts a message at the end, or in its own place when it is there already. */
export function putMessage(data: ThreadPages, message: Message): ThreadPages {
  const known = data.pages.some((page) => page.thread.messages.some(({ id }) => id === message.id));
  return mapPages(data, (page, index) => {
    if (known)
      return withMessages(
        page,
        page.thread.messages.map((each) => (each.id === message.id ? message : each)),
      );
    return index === 0 ? withMessages(page, [...page.thread.messages, message]) : page;
  });
}

/** Takes a message and all after it out, as the server does with what is asked anew. */
export function cutFrom(data: ThreadPages, messageId: string): ThreadPages {
  const home = data.pages.findIndex((page) => page.thread.messages.some(({ id }) => id === messageId));
  if (home < 0) return data;
  return mapPages(data, (page, index) => {
    if (index > home) return page;
    const at = page.thread.messages.findIndex(({ id }) => id === messageId);
    return withMessages(page, index === home ? page.thread.messages.slice(0, at) : []);
  });
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
