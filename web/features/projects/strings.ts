import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import { formatNumber, plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

const MOST_MEGABYTES = PROJECT_LIMITS.bytes / 1024 / 1024;

export const projectStrings = inLanguage('projectStrings', {
  title: 'Projects',
  description:
    'A project keeps instructions, files and a model that several chats share. Keep it to yourself, or share it as an assistant for your workspace. Each chat in it stays private to you.',
  all: 'All projects',
  empty: 'No projects yet',
  emptyText: 'Create one for a subject that you come back to: its instructions and files apply to every chat in it.',
  emptySide: 'Keep instructions and files for several chats.',
  noMatch: 'No projects match',
  noMatchText: 'Try another name.',
  search: 'Search projects',
  create: 'New project',
  createTitle: 'Create a project',
  sharing: (workspace: string): string => `Who else in ${workspace} can use it`,
  sharings: {
    private: { label: 'Only me', hint: 'Nobody else sees it.' },
    use: { label: 'Everyone can use it', hint: 'They chat in it and read its instructions and files.' },
    edit: { label: 'Everyone can use and change it', hint: 'They also change its instructions, files and model.' },
  },
  sharingHint: 'Chats are never shared with the project: each person sees only their own.',
  badges: { private: 'Only you', use: 'Shared for use', edit: 'Shared' },
  by: (name: string): string => `by ${name}`,
  use: 'Use',
  share: 'Share',
  shareTitle: (name: string): string => `Share ${name}`,
  shared: 'Sharing saved',
  whoSees: 'Who sees what',
  sees: {
    private: 'Instructions and files: only you.',
    abandoned: 'Instructions and files: owners and admins of the workspace and the organization.',
    use: (workspace: string): string =>
      `Instructions and files: every member of ${workspace}, and owners and admins of the organization.`,
    edit: (workspace: string): string =>
      `Instructions and files: every member of ${workspace}, who can also change them, and owners and admins of the organization.`,
    chats: 'Chats: each person sees only their own.',
    ifYouLeave: 'If you leave the workspace, its owners and admins can see this project and take it over.',
    managedBy: (name: string): string =>
      `Managed by ${name}. If they leave the workspace, its owners and admins can take it over.`,
  },
  left: (name: string): string => `${name}, who managed this project, has left the workspace.`,
  takeOver: 'Take over',
  takenOver: 'You manage this project now',
  createSubmit: 'Create',
  name: 'Name',
  descriptionLabel: 'Description',
  descriptionHint: 'One line, optional.',
  created: (name: string): string => `Project ${name} created`,
  inWorkspace: 'Workspace:',
  files: (count: number): string => plural(count, { one: '# file', other: '# files' }),
  back: 'All projects',
  newChat: 'New chat',
  newChatIn: (name: string): string => `New chat in ${name}`,
  edit: 'Edit name and description',
  editTitle: 'Edit project',
  save: 'Save',
  saved: 'Project saved',
  actions: 'Project actions',
  delete: 'Delete project',
  deleteTitle: (name: string): string => `Delete ${name}?`,
  deleteText:
    'Its instructions and files are deleted for everyone who uses it. Chats stay, without a project. This cannot be undone.',
  deleted: 'Project deleted',
  notFound: 'Project not found',
  notFoundText: 'This project does not exist, has been deleted, or is not shared with you.',
  readOnly: 'You can see this project, but only members of its workspace can change it or chat in it.',
  onlyForUse: (name: string): string => `You can use this project. Ask ${name} if something in it should change.`,
  instructions: 'Instructions',
  instructionsHint: `Answers and background runs in this project follow them. At most ${formatNumber(PROJECT_LIMITS.instructions)} characters.`,
  instructionsPlaceholder: 'For example: Answer in British English. Our product is called Atlas. Prefer short answers.',
  noInstructions: 'No instructions.',
  instructionsSaved: 'Instructions saved',
  changedByOther: 'Someone else has changed the instructions meanwhile. Saving replaces their text.',
  characters: (used: number): string =>
    `${formatNumber(used)} of ${formatNumber(PROJECT_LIMITS.instructions)} characters`,
  tooLong: `Use at most ${formatNumber(PROJECT_LIMITS.instructions)} characters.`,
  model: 'Default model',
  modelHint: 'New chats in this project start with it. Everyone can pick another one.',
  noModel: 'None: the model that each person used last',
  modelUnavailable: (model: string): string => `${model} (not available)`,
  modelSaved: 'Default model saved',
  chats: 'Your chats',
  chatsHint: 'Only you see them.',
  noChats: 'No chats yet',
  noChatsText: 'Start one here, or move an existing chat into this project from its menu.',
  startTitle: (name: string): string => `New chat in ${name}`,
  startText: (instructions: boolean, files: number): string => {
    if (instructions && files > 0) return 'Answers follow the project’s instructions and use its files.';
    if (instructions) return 'Answers follow the project’s instructions.';
    return files > 0 ? 'Answers use the project’s files.' : 'This project has no instructions and no files yet.';
  },
  startPrivate: 'Only you see this chat.',
  chatProject: 'Project:',
  chatBlocked: 'This project cannot be opened. Start a new chat without it.',
  chatReadOnly: 'Only members of the project’s workspace can chat in it. Ask an owner of the workspace to add you.',
  toggle: 'Projects',
});

export const fileStrings = inLanguage('fileStrings', {
  title: 'Files',
  hint: `Passages that fit a question are given to the model. PDF, Office documents and text, such as Markdown, CSV or code: at most ${PROJECT_LIMITS.files} files of ${MOST_MEGABYTES} MB each. The first ${formatNumber(PROJECT_LIMITS.characters)} characters of a file are searched.`,
  add: 'Add files',
  choose: 'Choose files to add',
  drop: 'Drop files to add them to this project',
  empty: 'No files yet',
  emptyText: 'Drop files here, or choose them. Everyone who may use the project reads them.',
  by: (name: string): string => `added by ${name}`,
  count: (count: number): string => `${count} of ${PROJECT_LIMITS.files} files`,
  states: { waiting: 'Reading…', ready: 'Ready', failed: 'Not readable' },
  uploading: (percent: number): string => `Uploading, ${percent}%`,
  uploadOf: (name: string): string => `Uploading ${name}`,
  reasons: {
    file_without_text: 'There is no text in this file. If it is a scan, run text recognition (OCR) on it first.',
    file_damaged: 'This file is damaged. Open it in the app that created it, save a copy and add that.',
    file_encrypted: 'This file is protected by a password. Save a copy without the password and add that.',
    file_too_complex: 'This file is too large once it is unpacked. Save the part you need as a smaller file.',
    file_type_unsupported: 'The text of this kind of file cannot be read. Save it as text and add that.',
  },
  otherReason: 'Its text could not be read. Delete it and add it again, or save it as text first.',
  tooLarge: `Larger than ${MOST_MEGABYTES} MB.`,
  tooMany: `A project can have at most ${PROJECT_LIMITS.files} files. Delete one first.`,
  image: 'Images have no text. Attach them to a message instead.',
  removeOf: (name: string): string => `Delete ${name}`,
  dismissOf: (name: string): string => `Dismiss ${name}`,
  removeTitle: (name: string): string => `Delete ${name}?`,
  removeText: 'It is deleted for everyone who uses the project. Earlier answers keep the excerpts that they quote.',
  remove: 'Delete',
  removed: 'File deleted',
});

export const moveStrings = inLanguage('moveStrings', {
  action: 'Move to project…',
  title: 'Move to project',
  text: 'The project’s instructions and files then apply to your next questions. The chat stays private to you.',
  label: 'Project',
  none: 'No project',
  empty: 'There are no projects in this chat’s workspace yet.',
  submit: 'Move',
  moved: (name: string): string => `Moved to ${name}`,
  movedOut: 'Moved out of the project',
});

export const sourceStrings = inLanguage('sourceStrings', {
  title: 'Sources',
  source: 'Source',
  excerpt: (number: number, name: string): string => `Excerpt of source ${number}, ${name}`,
});
