// Messages that wait for a running answer, by chat. They are sent one after the other, each after the answer to the one
// before. After a failure or a stop they wait for the person. They survive switching chats and reloads, per tab.
import type { Question } from './turns.ts';

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
const MOST_CHATS = 50;
/** Below the prefix of drafts, so that it is forgotten with them. */
const PREFIX = 'chat-draft:queue ';

const queues = new Map<string, Queue>();
const listeners = new Set<() => void>();
const looked = new Set<string>();

export function getQueue(chat: string): Queue {
  if (!looked.has(chat)) {
    looked.add(chat);
    const items = readKept(chat);
    if (items.length > 0) queues.set(chat, { items, held: undefined });
  }
  return queues.get(chat) ?? EMPTY_QUEUE;
}

function changeQueue(chat: string, change: (queue: Queue) => Queue): void {
  const next = change(getQueue(chat));
  queues.delete(chat);
  if (next.items.length > 0) queues.set(chat, next);
  keep(chat, next.items);
  const [oldest] = queues.keys();
  if (queues.size > MOST_CHATS && oldest !== undefined) queues.delete(oldest);
  for (const listener of listeners) listener();
}

/** False if too many wait already. */
export function enqueue(chat: string, question: Question): boolean {
  if (getQueue(chat).items.length >= MOST_QUEUED) return false;
  const added = { key: newKey(), question };
  changeQueue(chat, ({ items, held }) => ({ items: [...items, added], held }));
  return true;
}

/** A message that could not be sent goes before the others. */
export function hold(chat: string, question: Question, held: Held | undefined): void {
  const added = { key: newKey(), question };
  changeQueue(chat, ({ items }) => ({ items: [added, ...items], held }));
}

/** The next to send; undefined if there is none. */
export function takeNext(chat: string): Question | undefined {
  const [next, ...items] = getQueue(chat).items;
  if (next) changeQueue(chat, () => ({ items, held: undefined }));
  return next?.question;
}

export function removeQueued(chat: string, key: string): void {
  changeQueue(chat, ({ items, held }) => ({ items: items.filter((item) => item.key !== key), held }));
}

export function holdAll(chat: string, held: Held): void {
  if (getQueue(chat).items.length > 0) changeQueue(chat, ({ items }) => ({ items, held }));
}

/** A new chat has become a thread: its messages move along. */
export function moveQueue(from: string, to: string): void {
  const queue = getQueue(from);
  if (queue.items.length === 0) return;
  changeQueue(from, () => EMPTY_QUEUE);
  changeQueue(to, () => queue);
}

export function subscribeQueues(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let keys = 0;

/** Unlike `crypto.randomUUID`, it works where the page is not served over TLS. */
const newKey = (): string => `${Date.now()}-${++keys}`;

function readKept(chat: string): readonly Queued[] {
  try {
    const kept = sessionStorage.getItem(PREFIX + chat);
    return kept === null ? [] : (JSON.parse(kept) as Queued[]);
  } catch {
    // Storage may be off; a message then waits as long as the page lives.
    return [];
  }
}

function keep(chat: string, items: readonly Queued[]): void {
  try {
    if (items.length === 0) sessionStorage.removeItem(PREFIX + chat);
    else sessionStorage.setItem(PREFIX + chat, JSON.stringify(items));
  } catch {
    // As above, or it is full.
  }
}
