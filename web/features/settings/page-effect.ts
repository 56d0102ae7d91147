// Whether a page of settings changes anything, derived from the enforcement matrix of the server. Pure.
import type { ControlOnWire, SettingsPage } from '../../../src/contract/enforcement.ts';

export const EFFECTS = ['acts', 'stored', 'placeholder'] as const;
export type Effect = (typeof EFFECTS)[number];

interface PageEffect {
  readonly effect: Effect;
  /** Controls of a page that acts which do not act themselves. */
  readonly exceptions: readonly string[];
}

/** Undefined if the matrix has no row for the page. */
export function effectOf(controls: readonly ControlOnWire[], page: SettingsPage): PageEffect | undefined {
  const own = controls.filter(({ pages }) => pages?.includes(page));
  if (own.length === 0) return undefined;
  if (own.some(({ status }) => status === 'Enforced'))
    return {
      effect: 'acts',
      exceptions: own.filter(({ status }) => status !== 'Enforced').map(({ control }) => control),
    };
  return { effect: own.every(({ status }) => status === 'Placeholder') ? 'placeholder' : 'stored', exceptions: [] };
}
