import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const promptEnglish = {
  title: 'Prompts',
  description: 'Texts that you use again and again. Type / at the start of a message to use one.',
  failed: 'Your prompts could not be loaded',
  list: 'Prompts',
  search: 'Search prompts',
  create: 'New prompt',
  createTitle: 'New prompt',
  saveAs: 'Save as prompt',
  editTitle: (name: string): string => `Edit /${name}`,
  name: 'Name',
  nameText: 'What you type after the slash. Lower-case letters, digits and hyphens.',
  nameInvalid: 'Use lower-case letters, digits and inner hyphens, at most 48 characters.',
  nameTaken: 'There is a prompt with this name already. Choose another name.',
  text: 'Text',
  textText: 'Write {{name}} for a part to fill in, or {{name:default}} to suggest a value.',
  textEmpty: 'Write the text of the prompt.',
  variables: (names: string): string => `Asks for: ${names}`,
  who: 'Who can use it',
  onlyMe: 'Only me',
  inWorkspace: (name: string): string => `Everyone in ${name}`,
  submit: 'Save prompt',
  save: 'Save changes',
  saved: (name: string): string => `Saved. Type /${name} in a chat to use it.`,
  changed: 'Prompt changed.',
  sharedIn: (workspace: string): string => `Shared in ${workspace}`,
  by: (name: string): string => `by ${name}`,
  edit: 'Edit',
  delete: 'Delete',
  deleteTitle: (name: string): string => `Delete /${name}?`,
  deleteOwn: 'The prompt is permanently deleted. Messages that were written with it stay.',
  deleteShared: (workspace: string): string =>
    `The prompt is permanently deleted for everyone in ${workspace}. Messages that were written with it stay.`,
  deleted: 'Prompt deleted.',
  empty: 'No prompts yet',
  emptyText:
    'Save a text that you often send, such as “Translate into {{language:German}}: {{text}}”. Typing /translate in a chat then asks for the language and the text.',
  tryExample: 'Start with this example',
  example: { name: 'translate', text: 'Translate into {{language:German}}:\n\n{{text}}' },
  noMatch: 'No prompts match',
  noMatchText: 'Search for other words, or clear the search.',
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  promptStrings: promptEnglish,
};

export const { promptStrings } = inLanguage(english, german);
