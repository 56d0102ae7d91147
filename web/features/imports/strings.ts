import type {
  IMPORT_STATES,
  ImportNote,
  ImportOutcome,
  ImportReason,
  ImportSource,
} from '../../../src/contract/imports/import-words.ts';
import { formatNumber, plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const chatImportStrings = inLanguage('chatImportStrings', {
  title: 'Import chats',
  description: 'Bring your chats from ChatGPT, Claude or LibreChat. What is here already is not imported twice.',
  link: 'Import chats from ChatGPT, Claude or LibreChat',
  accountTitle: 'Chats from other services',
  accountText: 'Move in with your chats from ChatGPT, Claude or LibreChat.',
  steps: [
    'ChatGPT: Settings, Data controls, Export data. Choose the ZIP file from the email.',
    'Claude: Settings, Privacy, Export data. Choose the ZIP file from the email.',
    'LibreChat: in a chat, Export as JSON. Choose that file, or a ZIP file of several.',
  ],
  place: (workspace: string): string =>
    `The chats will be in the workspace ${workspace}, and only you can see them. Nothing is sent to a model.`,
  projects: 'Also import projects',
  projectsText: 'Only you see them until you share them.',
  choose: 'Choose a file',
  chooseSame: 'Choose the same file to continue',
  otherFile: 'This is another file. Choose the one that you began with.',
  earlier: 'Your imports',
  back: 'All imports',
  missing: 'Import not found',
  missingText: 'Reports are kept for 90 days.',
  states: {
    uploading: 'Uploading',
    waiting: 'Waiting',
    running: 'Importing',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<(typeof IMPORT_STATES)[number], string>,
  sources: {
    chatgpt: 'ChatGPT',
    claude: 'Claude',
    librechat: 'LibreChat',
  } satisfies Record<ImportSource, string>,
  from: (source: string): string => `Imported from ${source}`,
  interrupted: 'The upload was interrupted',
  goesOn: 'You can leave this page: the import goes on.',
  staysOpen: 'Keep this tab open until the upload is complete.',
  progress: 'Progress of the import',
  uploadProgress: 'Progress of the upload',
  cancel: 'Cancel import',
  cancelTitle: 'Cancel this import?',
  cancelText: 'Chats that were imported stay.',
  cancelled: 'Import cancelled',
  download: 'Download report',
  failedTitle: 'The file could not be imported',
  failedAfter: 'What was imported before stays.',
  reasonsOfFailure: {
    file_damaged: 'The file is damaged or incomplete. Download it again from where you got it, then import it.',
    file_encrypted: 'The file is protected by a password. Unpack it, then import the JSON file in it.',
    file_too_complex: 'The file unpacks to far more than an export does. Unpack it, then import the JSON file in it.',
    import_format_unknown:
      'There are no conversations of ChatGPT, Claude or LibreChat in it. Choose the ZIP file or JSON file that the export gave you.',
    workspace_membership_required: 'You are no longer a member of the workspace. Import the file into another one.',
    internal: 'Something went wrong on our side. Try again, or ask your operator for help.',
  },
  outcomes: {
    taken: 'Imported',
    present: 'Already here',
    'left-out': 'Not imported',
  } satisfies Record<ImportOutcome, string>,
  counted: (label: string, count: number): string => `${label}: ${formatNumber(count)}`,
  nothing: {
    taken: 'Nothing was imported',
    present: 'Nothing was here already',
    'left-out': 'Nothing was left out',
  } satisfies Record<ImportOutcome, string>,
  nothingText: 'The other tabs have the rest.',
  untitled: 'Untitled',
  project: 'Project',
  messages: (count: number): string => plural(count, { one: '# message', other: '# messages' }),
  reasons: {
    'unknown-format': 'The format is not known.',
    damaged: 'It is damaged.',
    empty: 'It has no messages.',
    'too-large': 'It is too large.',
    'too-many-messages': 'It has more than 20,000 messages.',
    'too-many-projects': 'The workspace has as many projects as it can have.',
    'not-wanted': 'You chose not to import projects.',
    example: 'It is an example that comes with the service.',
    internal: 'Something went wrong with it.',
  } satisfies Record<ImportReason, string>,
  without: (parts: string): string => `Without: ${parts}`,
  notes: {
    'file-missing': (count) =>
      plural(count, { one: '# file that is not in the export', other: '# files that are not in the export' }),
    'file-unsupported': (count) =>
      plural(count, { one: '# file of an unsupported type', other: '# files of unsupported types' }),
    'file-too-large': (count) =>
      plural(count, { one: '# file that is too large', other: '# files that are too large' }),
    'storage-full': (count) =>
      plural(count, { one: '# file, for lack of storage', other: '# files, for lack of storage' }),
    settings: (count) => plural(count, { one: '# hidden instruction', other: '# hidden instructions' }),
    'unknown-part': (count) => plural(count, { one: '# part of an unknown kind', other: '# parts of unknown kinds' }),
    version: (count) => plural(count, { one: '# old version', other: '# old versions' }),
    document: (count) =>
      plural(count, {
        one: '# document: add it to the project as a file',
        other: '# documents: add them to the project as files',
      }),
    'instructions-cut': () => 'the end of the instructions, which are too long',
  } satisfies Record<ImportNote, (count: number) => string>,
});
