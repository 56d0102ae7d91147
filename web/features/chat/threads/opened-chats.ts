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

/** For sorting: the most often and most recently opened first. What all have lost since does not change their order. */
export function compareOpenings(opened: OpenedChats, one: string, other: string): number {
  return rankOf(opened[other]) - rankOf(opened[one]);
}

/** The logarithm of what the openings count for, but for a constant. */
function rankOf(openings: Openings | undefined): number {
  return openings === undefined ? Number.NEGATIVE_INFINITY : Math.log2(openings.weight) + openings.at / HALF_LIFE_MS;
}

/** Those that count for least are forgotten. */
export function withOpening(opened: OpenedChats, chat: string, now: number): OpenedChats {
  const known = opened[chat];
  const before = known === undefined ? 0 : known.weight * 2 ** ((known.at - now) / HALF_LIFE_MS);
  const changed = { ...opened, [chat]: { weight: before + 1, at: now } };
  const kept = Object.keys(changed)
    .toSorted((one, other) => compareOpenings(changed, one, other))
    .slice(0, MOST);
  return Object.fromEntries(kept.flatMap((id) => (changed[id] === undefined ? [] : [[id, changed[id]]])));
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
