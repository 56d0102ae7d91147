import { inLanguage } from '../../../language/language.ts';
import type { FieldKind } from './propose-fields.ts';

export const recipeStrings = inLanguage('recipeStrings', {
  title: 'Recipes',
  description: (workspace: string): string =>
    `Runs that ${workspace} keeps to start them again, with parts to fill in. Type /run in a chat to start one.`,
  descriptionAnywhere: 'Runs that a workspace keeps to start them again, with parts to fill in.',
  failed: 'The recipes could not be loaded',
  list: 'Recipes',
  search: 'Search recipes',
  create: 'New recipe',
  createTitle: 'New recipe',
  saveAs: 'Save as recipe',
  editTitle: (name: string): string => `Edit ${name}`,
  name: 'Name',
  nameText: 'What you type after /run in a chat. Letters, digits and hyphens.',
  nameInvalid: 'Use letters, digits and inner hyphens, at most 48 characters.',
  nameTaken: 'This workspace already has a recipe with this name. Choose another name.',
  about: 'What it is for',
  objective: 'Objective',
  objectiveText: 'Write {{name}} for a part to fill in, or {{name:default}} to suggest a value.',
  objectiveEmpty: 'Write the objective.',
  asksFor: (names: string): string => `Asks for: ${names}`,
  propose: 'Make it a field',
  proposeText: 'These parts may differ the next time. Choose the ones to fill in.',
  submit: 'Save recipe',
  save: 'Save changes',
  saved: (name: string): string => `Saved. Type /run ${name} in a chat to start it.`,
  changed: 'Recipe changed.',
  by: (name: string): string => `by ${name}`,
  start: 'Start',
  startTitle: (name: string): string => `Start ${name}`,
  startText: 'What you fill in becomes part of the objective.',
  noFields: 'This recipe has nothing to fill in.',
  fieldMissing: (name: string): string => `Fill in ${name}.`,
  fieldTooLong: (limit: string): string => `Use at most ${limit} characters.`,
  preview: 'Objective of the run',
  edit: 'Edit',
  export: 'Export',
  delete: 'Delete',
  deleteTitle: (name: string): string => `Delete ${name}?`,
  deleteText: 'The recipe is permanently deleted for everyone in its workspace. Runs that it started stay.',
  deleted: 'Recipe deleted.',
  import: 'Import',
  importTitle: 'Import a recipe',
  importText: 'Choose a file that was exported from a recipe, here or on another deployment.',
  choose: 'Choose file',
  chosen: (file: string): string => `Chosen: ${file}`,
  importSubmit: 'Import recipe',
  fileNeeded: 'Choose a file.',
  fileTooLarge: 'This file is larger than a recipe can be.',
  imported: (name: string): string => `${name} was imported.`,
  unknown: 'What it needs is not all here',
  unknownText: 'It cannot be started before these are there, or before the recipe is changed:',
  close: 'Close',
  empty: 'No recipes yet',
  emptyText:
    'Open a run that went well and select “Save as recipe”, or write one here. Everyone in the workspace can start it.',
  noMatch: 'No recipes match',
  noMatchText: 'Search for other words, or clear the search.',
});

/** Names of proposed fields. */
export const fieldNames = inLanguage('fieldNames', {
  link: 'link',
  email: 'address',
  repository: 'repository',
  date: 'date',
  number: 'number',
  quote: 'text',
} satisfies Record<FieldKind, string>);

/** What an imported recipe needs that is not here. */
export const unknownTexts = inLanguage('unknownTexts', {
  model_not_found: (name: string): string => `The model ${name} does not exist here.`,
  model_not_supported_for_runs: (name: string): string => `Runs cannot use the model ${name}.`,
  capability_unusable: (name: string): string => `@${name} is not connected, or its connection does not work.`,
});
