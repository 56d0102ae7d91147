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
): SpotlightActionGroupData[] {
  return groups
    .filter((group): group is SpotlightActionGroupData => 'actions' in group)
    .map(({ group, actions }) => ({
      group,
      actions: found.has(group) ? actions : actions.filter((action) => matches(action, query)).toSorted(byLabel(query)),
    }))
    .filter(({ actions }) => actions.length > 0);
}

function matches({ label = '', description = '', keywords = '' }: SpotlightActionData, query: string): boolean {
  return contains([label, description, ...[keywords].flat()].join(' '), query.trim());
}

/** A label that matches comes before a description that does. */
function byLabel(query: string): (a: SpotlightActionData, b: SpotlightActionData) => number {
  const rank = ({ label = '' }: SpotlightActionData): number => (contains(label, query.trim()) ? 0 : 1);
  return (a, b) => rank(a) - rank(b);
}
