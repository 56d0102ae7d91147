// The chats of a person in the order of the list: pinned ones, then the others by age, latest first.
import type { Thread } from '../../../../src/contract/threads.ts';
import { threadStrings as strings } from '../strings.ts';

export interface ThreadGroup {
  readonly label: string;
  readonly threads: readonly Thread[];
}

const DAY_MS = 86_400_000;

export function groupThreads(threads: readonly Thread[]): ThreadGroup[] {
  const pinned = threads.filter((thread) => thread.pinned);
  return [
    ...(pinned.length === 0 ? [] : [{ label: strings.pinned, threads: pinned }]),
    ...byAge(threads.filter((thread) => !thread.pinned)),
  ];
}

function byAge(threads: readonly Thread[]): ThreadGroup[] {
  const today = new Date().setHours(0, 0, 0, 0);
  const ages = [
    { label: strings.today, since: today },
    { label: strings.week, since: today - 6 * DAY_MS },
    { label: strings.older, since: Number.NEGATIVE_INFINITY },
  ];
  const ageOf = ({ updatedAt }: Thread) => ages.find(({ since }) => Date.parse(updatedAt) >= since);
  return ages
    .map((age) => ({ label: age.label, threads: threads.filter((thread) => ageOf(thread) === age) }))
    .filter((age) => age.threads.length > 0);
}

/** The chat after or before another one in the list. From a chat that is not in it, such as a new one, the first. */
export function findNeighbour(
  threads: readonly Thread[],
  current: string | undefined,
  step: 1 | -1,
): Thread | undefined {
  const inOrder = groupThreads(threads).flatMap((group) => group.threads);
  const at = inOrder.findIndex(({ id }) => id === current);
  return at === -1 ? inOrder[0] : inOrder[at + step];
}
