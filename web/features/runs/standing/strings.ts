import type { StandingPause } from '../../../../src/contract/standing/standing-runs.ts';
import { inLanguage } from '../../../language/language.ts';

/** What the pages of schedules and of triggers both say. */
export const standingStrings = inLanguage('standingStrings', {
  name: 'Name',
  nameRequired: 'Enter a name.',
  objective: 'Objective',
  objectiveRequired: 'Enter an objective.',
  save: 'Save changes',
  on: 'On',
  off: 'Off',
  paused: 'Paused',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  edit: 'Edit',
  editTitle: (name: string): string => `Edit ${name}`,
  delete: 'Delete',
  lastRun: 'Last run',
  openRun: 'Open run',
  madeBy: 'Made by',
  you: 'You',
  colleague: 'A colleague',
  workspace: 'Workspace',
  kind: 'Kind',
  model: 'Model',
});

export const pauseTexts = inLanguage('pauseTexts', {
  authority_lost:
    'The person who made it may no longer start its runs, or the token it was made with was revoked. If you made it, turn it on again to use your current access.',
  refused: 'Its run was refused five times in a row; the list below says why. Correct that, then turn it on again.',
} satisfies Record<StandingPause, string>);
