// How often and how recently a person opened each chat: in this browser, without titles. An opening counts half as much
// after a week.
import { createKeyedStore } from '../../../kit/keyed-store.ts';

interface Openings {
  /** What the openings counted for at the latest one. */
  readonly weight: number;
  readonly at: number;
}

/** By chat. */
export type OpenedChats = Readonly<Record<string, Openings>>;

const HALF_LIFE_MS = 7 * 86_400_000;
const MOST = 200;
const NONE: OpenedChats = {};

export function weighOpenings(opened: OpenedChats, chat: string, now: number): number {
  const known = opened[chat];
  return known === undefined ? 0 : known.weight * 2 ** ((known.at - now) / HALF_LIFE_MS);
}

/** The lightest are forgotten. */
export function withOpening(opened: OpenedChats, chat: string, now: number): OpenedChats {
  const changed = { ...opened, [chat]: { weight: weighOpenings(opened, chat, now) + 1, at: now } };
  const heaviest = Object.entries(changed).toSorted(
    ([one], [other]) => weighOpenings(changed, other, now) - weighOpenings(changed, one, now),
  );
  return Object.fromEntries(heaviest.slice(0, MOST));
}

const store = createKeyedStore<OpenedChats>({
  empty: NONE,
  persist: {
    area: 'local',
    prefix: 'opened-chats:',
    pack: (opened) => JSON.stringify(opened),
    unpack: (stored) => JSON.parse(stored) as OpenedChats,
  },
});

/** By the id of the person. */
export const { use: useOpenedChats } = store;

export function recordOpening(user: string, chat: string): void {
  store.change(user, (opened) => withOpening(opened, chat, Date.now()));
}
