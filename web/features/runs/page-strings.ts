// Names of the pages of runs and of what starts them: the command palette has them too, without the texts of the pages.
import { inLanguage } from '../../language/language.ts';

export const runPageStrings = inLanguage('runPageStrings', {
  start: 'Start a run',
  pages: 'Runs and what starts them',
  recipes: 'Recipes',
  environments: 'Environments',
  schedules: 'Schedules',
  triggers: 'Triggers',
  subscriptions: 'Subscriptions',
});
