// Which entries of the command palette match what was typed. Those that the server found are all shown: it knows word
// forms that a comparison of letters does not.
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';

/** Whether every word of the search is in the text, regardless of case. */
export function contains(text: string, search: string): boolean {
  const plain = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => plain.includes(word));
}

export function matchActions(
  query: string,
  groups: readonly (SpotlightActionData | SpotlightActionGroupData)[],
  found: ReadonlySet<string>,
  favored?: string,
): SpotlightActionGroupData[] {
  const matching = groups
    .filter((group): group is SpotlightActionGroupData => 'actions' in group)
    .map(({ group, actions }) => ({
      group,
      actions: found.has(group) ? actions : actions.filter((action) => matches(action, query)).toSorted(byLabel(query)),
    }))
    .filter(({ actions }) => actions.length > 0);
  return withFavored(query.trim(), matching, { found, favored });
}

/**
 * The favored group, such as the chats that the person opens often, is first if none of the others that are known at
 * once fits what was typed better. What the server finds comes after those: it must not move what is selected.
 */
function withFavored(
  query: string,
  groups: readonly SpotlightActionGroupData[],
  { found, favored }: { found: ReadonlySet<string>; favored: string | undefined },
): SpotlightActionGroupData[] {
  const first = groups.filter(({ group }) => group === favored);
  const others = groups.filter(({ group }) => group !== favored);
  const fit = (some: readonly SpotlightActionGroupData[]): number =>
    Math.min(...some.flatMap(({ actions }) => actions.map(({ label }) => fitOf(label ?? '', query))));
  const known = others.filter(({ group }) => !found.has(group));
  if (fit(first) <= fit(known)) return [...first, ...others];
  return [...known, ...first, ...others.filter(({ group }) => found.has(group))];
}

/** How well a label fits: it is what was typed, starts with it, or contains it in some way; the least is the best. */
function fitOf(label: string, query: string): number {
  const [plain, sought] = [label.toLocaleLowerCase(), query.toLocaleLowerCase()];
  return plain === sought ? 0 : plain.startsWith(sought) ? 1 : 2;
}

function matches({ label = '', description = '', keywords = '' }: SpotlightActionData, query: string): boolean {
  return contains([label, description, ...[keywords].flat()].join(' '), query.trim());
}

/** A label that matches comes before a description that does. */
function byLabel(query: string): (a: SpotlightActionData, b: SpotlightActionData) => number {
  const rank = ({ label = '' }: SpotlightActionData): number => (contains(label, query.trim()) ? 0 : 1);
  return (a, b) => rank(a) - rank(b);
}
