import { inLanguage } from '../language/language.ts';

export const sessionStrings = inLanguage('sessionStrings', {
  workspacesFailed: 'Workspaces could not be loaded',
  toWorkspaces: 'Go to workspaces',
  plan: (plan: string): string => `${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`,
});
