import { inLanguage } from '../language/language.ts';
import { german } from './strings.de.ts';

const sessionEnglish = {
  workspacesFailed: 'Workspaces could not be loaded',
  toWorkspaces: 'Go to workspaces',
  plan: (plan: string): string => `${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`,
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  sessionStrings: sessionEnglish,
};

export const { sessionStrings } = inLanguage(english, german);
