// Whether a page of settings changes anything, derived from the enforcement matrix of the server. Pure.
import type { ControlOnWire, SettingsPage } from '../../../src/contract/enforcement.ts';

export const EFFECTS = ['acts', 'stored', 'placeholder'] as const;
export type Effect = (typeof EFFECTS)[number];

interface PageEffect {
  readonly effect: Effect;
  /** The controls to which it does not apply: of a page that acts those that do not, of any other those that do. */
  readonly exceptions: readonly string[];
}

/** As most of what can be set on it. Undefined if the matrix has no row for the page. */
export function effectOf(controls: readonly ControlOnWire[], page: SettingsPage): PageEffect | undefined {
  const own = controls.filter(({ pages }) => pages?.includes(page));
  if (own.length === 0) return undefined;
  const names = (acting: boolean): string[] =>
    own.filter(({ status }) => (status === 'Enforced') === acting).map(({ control }) => control);
  const configured = own.filter(({ status }) => status === 'Configured only').length;
  // In a tie the page is not filed among those that can be relied on.
  if (names(true).length > configured) return { effect: 'acts', exceptions: names(false) };
  const isPlaceholder = own.every(({ status }) => status === 'Placeholder');
  return { effect: isPlaceholder ? 'placeholder' : 'stored', exceptions: names(true) };
}
