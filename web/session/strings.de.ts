import type { Translated } from '../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  sessionStrings: {
    workspacesFailed: 'Die Arbeitsbereiche konnten nicht geladen werden',
    toWorkspaces: 'Zu den Arbeitsbereichen',
    plan: (plan) => `Tarif ${plan.charAt(0).toUpperCase()}${plan.slice(1)}`,
  },
} as const satisfies Translated<typeof english>;
