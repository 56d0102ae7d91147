// Messages that wait for a running answer, by chat. They are sent one after the other, each after the answer to the one
// before. After a failure or a stop they wait for the person. They survive switching chats and reloads, per tab.
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import type { Question } from '../answer/turns.ts';

export interface Queued {
  readonly key: string;
  readonly question: Question;
}

/** Why the messages are not sent by themselves. */
export type Held = 'failed' | 'stopped' | 'changed' | 'refused';

export interface Queue {
  readonly items: readonly Queued[];
  readonly held: Held | undefined;
}

export const EMPTY_QUEUE: Queue = { items: [], held: undefined };
const MOST_QUEUED = 10;

const queues = createKeyedStore<Queue>({
  empty: EMPTY_QUEUE,
  isEmpty: ({ items }) => items.length === 0,
  most: 50,
  persist: {
    area: 'session',
    // Below the prefix of drafts, so that it is forgotten with them.
    prefix: 'chat-draft:queue ',
    pack: ({ items }) => JSON.stringify(items),
    unpack: (stored) => ({ items: JSON.parse(stored) as Queued[], held: undefined }),
  },
});

export const { get: getQueue, use: useQueue } = queues;

/** False if too many wait already. */
export function enqueue(chat: string, question: Question): boolean {
  if (getQueue(chat).items.length >= MOST_QUEUED) return false;
  const added = { key: newKey(), question };
  queues.change(chat, ({ items, held }) => ({ items: [...items, added], held }));
  return true;
}

/** A message that could not be sent goes before the others. */
export function hold(chat: string, question: Question, held: Held | undefined): void {
  const added = { key: newKey(), question };
  queues.change(chat, ({ items }) => ({ items: [added, ...items], held }));
}

/** The next to send; undefined if there is none. */
export function takeNext(chat: string): Question | undefined {
  const [next, ...items] = getQueue(chat).items;
  if (next) queues.set(chat, { items, held: undefined });
  return next?.question;
}

export function removeQueued(chat: string, key: string): void {
  queues.change(chat, ({ items, held }) => ({ items: items.filter((item) => item.key !== key), held }));
}

export function holdAll(chat: string, held: Held): void {
  if (getQueue(chat).items.length > 0) queues.change(chat, ({ items }) => ({ items, held }));
}

/** A new chat has become a thread: its messages move along. */
export function moveQueue(from: string, to: string): void {
  const queue = getQueue(from);
  if (queue.items.length === 0) return;
  queues.set(from, EMPTY_QUEUE);
  queues.set(to, queue);
}

let keys = 0;

/** Unlike `crypto.randomUUID`, it works where the page is not served over TLS. */
const newKey = (): string => `${Date.now()}-${++keys}`;
