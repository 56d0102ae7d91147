import { ATTACHMENT_LIMITS } from '../../../src/contract/attachments.ts';
import type { MessageMetadata } from '../../../src/contract/threads.ts';

export const chatStrings = {
  title: 'Chat',
  newChat: 'New chat',
  greeting: (name: string): string => `What can I help with, ${name}?`,
  greetingText: 'Ask anything. You can stop an answer, edit your message or try again at any time.',
  suggestionsTitle: 'Suggestions',
  suggestions: [
    { title: 'Write some code', prompt: 'Write a function that counts the words in a text.' },
    { title: 'Make a list', prompt: 'Make a checklist for a software release.' },
    { title: 'Explain something', prompt: 'Explain in simple terms how a hash chain reveals that a log was changed.' },
    {
      title: 'Draft a longer text',
      prompt: 'Write a long article about what a background agent should never do unsupervised.',
    },
  ],
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Answer',
  earlier: 'Load earlier messages',
  toLatest: 'Jump to latest',
  thinking: 'Waiting for the answer…',
  reasoning: 'Thoughts',
  reasoningNow: 'Thinking…',
  thoughtFor: (ms: number): string => {
    const seconds = Math.max(1, Math.round(ms / 1000));
    return seconds < 60 ? `Thought for ${seconds} s` : `Thought for ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  copyMenu: 'More ways to copy',
  copyMarkdown: 'Copy as Markdown',
  copyText: 'Copy as text',
  showAll: 'Show all',
  showLess: 'Show less',
  edit: 'Edit',
  retry: 'Try again',
  failedAt: 'Failed:',
  answerWithout: 'Answer without it',
  stopped: 'You stopped this answer.',
  cutLength: 'The answer reached the model’s maximum length.',
  cutFilter: 'The provider withheld the rest of this answer.',
  lost: 'The server cannot be reached. What was written so far is kept, and this page keeps trying to reconnect.',
  reconnect: 'Reconnect',
  reconnecting: 'The connection was lost. Reconnecting… What was written so far is kept.',
  announce: {
    started: 'The answer has started.',
    done: 'The answer is complete.',
    stopped: 'The answer was stopped.',
    failed: 'The answer failed. See the message for what to do.',
    run: 'A background run has started.',
  },
  notFound: 'Chat not found',
  notFoundText: 'This chat does not exist or has been deleted.',
  messageGone: 'This message is not in the chat as it is shown now. It may have been deleted or replaced by an edit.',
  archived: 'This chat is archived.',
  demoText: 'This deployment has no provider key, so demo models answer. Their answers are scripted and cost nothing.',
  studyMode:
    'Study Mode is enforced for this organization, but its model cannot run here. Messages get no answer until an owner or admin turns it off.',
  noModels: 'No models are available.',
  noPlace: 'The workspace is not loaded yet. Reload the workspaces first.',
  inWorkspace: 'Workspace:',
} as const;

export const composerStrings = {
  label: 'Message',
  placeholder: 'Write a message',
  hint: 'Enter to send, Shift+Enter for a new line. While an answer runs, Enter queues the message and Escape stops the answer.',
  send: 'Send',
  queue: 'Queue',
  queueFull: 'At most 10 messages can wait. Remove one, or wait until the answer is complete.',
  stop: 'Stop',
  stopping: 'Stopping…',
  attach: 'Attach files',
  mode: 'Response mode',
  modes: { answer: 'Answer', background: 'Background' },
  backgroundHint: 'A run works on it in the background. You can leave this page; the answer will appear here.',
  notForRuns: 'Background runs use OpenAI, which does not offer this model. Choose another model, or choose Answer.',
  noFiles: 'Background runs do not accept files. Remove them, or choose Answer.',
  appMissing: (app: string): string =>
    `${app} is not connected in this workspace. Connect it, or choose Answer to ask without it. Your message and files are kept.`,
  appUnusable: (app: string, why: string): string =>
    `${app} is unavailable. ${why} Or choose Answer to ask without it. Your message and files are kept.`,
  drop: 'Drop files to attach them',
  attachments: 'Attachments',
  removeOf: (name: string): string => `Remove ${name}`,
  uploading: (percent: number): string => `Uploading, ${percent}%`,
  waitForUpload: 'Files are still uploading.',
  tooLong: 'A message can have at most 2,000,000 characters.',
  pasted: 'Pasted text',
  characters: (count: number): string => `${count.toLocaleString()} characters`,
  saveEdit: 'Send again',
  editLabel: 'Edit your message',
  editText: 'The message before your edit is kept as a version.',
} as const;

export const queueStrings = {
  label: 'Queued message',
  queued: 'Queued: will be sent after the answer',
  held: {
    waiting: 'Not sent yet',
    failed: 'Not sent, because the answer before it failed',
    stopped: 'Not sent, because you stopped the answer before it',
    changed: 'Not sent, because this chat was changed elsewhere',
    refused: 'Not sent',
  },
  sendNow: 'Send now',
  edit: 'Edit',
  remove: 'Remove',
} as const;

export const versionStrings = {
  versions: 'Versions',
  previous: 'Previous version',
  next: 'Next version',
  count: (number: number, count: number): string => `${number} / ${count}`,
  countLabel: (number: number, count: number): string => `Version ${number} of ${count}`,
  more: 'More actions for this message',
  copy: 'Continue from here in a new chat',
  copied: 'This is a copy of the chat up to that message.',
  delete: 'Delete this version',
  deleteTitle: 'Delete this version?',
  deleteText: 'The message and everything that followed it in this version are permanently deleted.',
  deleteConfirm: 'Delete',
  deleted: 'Version deleted.',
} as const;

export const timeStrings = {
  now: 'Just now',
  yesterday: (time: string): string => `Yesterday, ${time}`,
} as const;

const MOST_MEGABYTES = ATTACHMENT_LIMITS.bytes / 1024 / 1024;

export const attachStrings = {
  tooLarge: `Larger than ${MOST_MEGABYTES} MB.`,
  tooMany: `A message can have at most ${ATTACHMENT_LIMITS.files} files.`,
  limits: `Images, PDF and text. At most ${ATTACHMENT_LIMITS.files} files of ${MOST_MEGABYTES} MB each.`,
  count: (count: number): string => `${count} of ${ATTACHMENT_LIMITS.files} files`,
  office: 'Office files cannot be read. Save it as PDF, CSV or text and attach that.',
  otherImage: 'Only PNG, JPEG, GIF and WebP images can be read. Convert it first.',
  unreadable: 'Models cannot read this kind of file.',
  pages: (count: number): string => (count === 1 ? '1 page' : `${count.toLocaleString()} pages`),
  open: (name: string): string => `Open ${name}`,
  position: (at: number, all: number): string => `${at} of ${all}`,
  previous: 'Previous image',
  next: 'Next image',
  download: 'Download',
  broken: 'This image cannot be shown.',
} as const;

export const mentionStrings = {
  list: 'Capabilities',
  count: (count: number): string =>
    count === 1
      ? '1 capability. Press Enter to select it.'
      : `${count} capabilities. Use the arrow keys and Enter to select one.`,
  unusable: (title: string, why: string): string => `${title}: ${why}`,
} as const;

export const threadStrings = {
  list: 'Chats',
  open: 'Chats',
  search: 'Search chats',
  titles: 'Titles',
  messages: 'Messages',
  searching: 'Searching…',
  by: { user: 'You', assistant: 'Answer' },
  options: 'List options',
  showArchived: 'Show archived chats',
  showActive: 'Show active chats',
  archivedTitle: 'Archived chats',
  noArchived: 'No archived chats.',
  select: 'Select chats',
  selected: (count: number): string => (count === 1 ? '1 chat selected' : `${count} chats selected`),
  selectOf: (title: string): string => `Select ${title}`,
  pinned: 'Pinned',
  archivedMark: 'Archived',
  sharedMark: 'Shared',
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  restore: 'Restore',
  archivedDone: 'Chat archived. Find it under “Show archived chats” or by searching.',
  restored: 'Chat restored.',
  share: 'Share…',
  exportMarkdown: 'Export as Markdown',
  exportJson: 'Export as JSON',
  empty: 'No chats yet',
  emptyText: 'Your chats appear here.',
  noMatch: 'No chats match.',
  actionsOf: (title: string): string => `Actions for ${title}`,
  rename: 'Rename',
  renameTitle: 'Rename chat',
  name: 'Title',
  save: 'Save',
  renamed: 'Chat renamed.',
  delete: 'Delete',
  deleteTitle: (title: string): string => `Delete “${title}”?`,
  deleteText: 'Its messages and attachments are permanently deleted.',
  deleted: 'Chat deleted.',
  deleteManyTitle: (count: number): string => (count === 1 ? 'Delete 1 chat?' : `Delete ${count} chats?`),
  deleteManyText: 'Their messages and attachments are permanently deleted.',
  deletedMany: (count: number): string => (count === 1 ? '1 chat deleted.' : `${count} chats deleted.`),
  today: 'Today',
  week: 'Last 7 days',
  older: 'Older',
} as const;

export const shareStrings = {
  title: 'Share chat',
  explain: (workspace: string): string =>
    `Members of ${workspace} who have the link can read a copy of this chat. Later messages are added only when you update it. Attachments are named, but cannot be opened.`,
  thisWorkspace: 'this workspace',
  create: 'Create link',
  link: 'Link',
  copyOf: (messages: number): string =>
    messages === 1 ? 'The copy has 1 message and was made on' : `The copy has ${messages} messages and was made on`,
  update: 'Update copy',
  updated: 'The link now shows the chat as it is now.',
  remove: 'Stop sharing',
  removed: 'The link no longer works.',
  blocked: {
    sharing_disabled:
      'Your organization does not allow sharing chats. An owner or admin can change this in the policies.',
    workspace_membership_required: 'You are no longer in the workspace of this chat, so you cannot share it there.',
  },
  blockedLink: 'The existing link does not open until this changes.',
  pageBy: (name: string): string => `Shared by ${name}. This is a read-only copy made on`,
  asked: 'Question',
  notFound: 'Shared chat not found',
  notFoundText:
    'The link may have been taken back, or you are not in the workspace that it was shared with. Ask the person who sent it to you.',
} as const;

export const modelStrings = {
  label: 'Model:',
  search: 'Search models',
  noMatch: 'No models match.',
  pinned: 'Pinned',
  recent: 'Recent',
  /** By catalogue id; a model of several providers is chosen by what can pay. */
  providers: { '': 'Automatic', openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' },
  unavailable: 'Not available here',
  needsKey: 'Nothing can pay for it: it needs a provider key, a Models account or platform credit.',
  needsAccount: 'Nothing can pay for it: it needs a Models account that serves it.',
  keys: '↑ ↓ to move, Enter to choose, Alt+P to pin',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  isPinned: 'Pinned',
  images: 'Images',
  reasons: 'Reasoning',
  onlyWithKey: 'Your organization shows only models from providers it has a key for.',
  noneWithKey: 'Your organization requires a provider key, and none is saved yet. An owner or admin can save one.',
  price: (input: string, output: string): string => `${input} in, ${output} out per 1M`,
  context: (tokens: string): string => `${tokens} context`,
} as const;

/** Why the policy denies a model, by error code. */
export const denialTexts = {
  'policy_denied:provider': 'This provider is disabled for your organization.',
  'policy_denied:model': 'This model is disabled for your organization.',
  'policy_denied:compliance': 'Your organization requires zero data retention, which this model does not offer.',
} as const;

export const DENIED_OTHERWISE = 'Your organization’s policy does not allow this model.';

export const answerStrings = {
  credentials: {
    platform: 'Platform credit',
    'own-key': 'Own provider key',
    'models-account': 'Models account',
  } as const satisfies Record<NonNullable<MessageMetadata['credential']>, string>,
  tokens: (input: number, output: number): string => `${input.toLocaleString()} in, ${output.toLocaleString()} out`,
  noCost: 'no platform cost',
  attachments: {
    pieces: 'Only the passages most relevant to your question were sent to the model.',
    beginning: 'Only the beginning was sent to the model.',
    'left-out': 'Not sent to the model: the context window is full.',
  },
} as const;

/**
 * What to do after an error, by its code or a prefix of it that ends before a colon, the most specific first. Where the
 * fix is on a settings page, `do` is for people who may open it and `ask` for everyone else.
 */
export const chatAdvice = {
  'policy_denied:missing_provider_api_key': {
    do: 'Save a key, or choose another model below, then try again.',
    ask: 'Ask an owner or admin to save one, or choose another model below.',
  },
  'policy_denied:provider_not_supported_by_byok': {
    do: 'Choose another model below, or add a Models account that serves this model.',
    ask: 'Choose another model below, then try again.',
  },
  policy_denied: 'Choose another model below, then try again.',
  model_not_found: 'Choose another model below, then try again.',
  model_not_routable: {
    do: 'Choose another model below, or add a Models account that serves this model.',
    ask: 'Choose another model below, then try again.',
  },
  model_not_supported_for_runs: 'Choose another model below, then try again.',
  capability_unusable: 'Connect the app under Integrations, or ask without it.',
  invalid_request: 'Background runs do not accept files. Remove them, or choose Answer.',
  study_mode_unavailable: 'An owner or admin can turn Study Mode off.',
  quota_exceeded: {
    do: 'Check what is left in the plan, or save a provider key: requests with your own key do not count against the budget.',
    ask: 'Ask an owner or admin for a larger plan or a provider key.',
  },
  provider_key_rejected: {
    do: 'Save a valid key, then try again.',
    ask: 'An owner or admin can save a new key.',
  },
  provider_key_undecryptable: {
    do: 'Remove the key and save it again.',
    ask: 'An owner or admin can remove the key and save it again.',
  },
  rate_limited: 'Your message is kept.',
  unreachable: 'Your message is kept here. Check your connection, then try again.',
} as const;
export type ChatAdvice = keyof typeof chatAdvice;

export const problemPages = {
  byok: 'BYOK: organization keys',
  llmKeys: (workspace: string): string => `LLM keys for ${workspace}`,
  plan: 'Plan and usage',
  integrations: 'Open Integrations',
} as const;

export const NOT_ACCEPTED = 'The message was not accepted.';
export const KEPT = 'Your message is kept. You can try again or edit it.';

export const firstSteps = {
  title: 'First steps',
  dismiss: 'Hide',
  done: 'Done',
  steps: {
    ask: { title: 'Ask a question', text: 'Type below and press Enter.' },
    key: {
      title: 'Add a provider key, or use the demo',
      text: 'With your own key, requests are billed to your account with the provider.',
    },
    connect: { title: 'Connect an app', text: 'You, your runs and your MCP clients can then use its tools.' },
    client: {
      title: 'Call a tool from an MCP client',
      text: 'Give your client the gateway address. It signs in through your browser or with a token.',
    },
    run: { title: 'Start a run', text: 'A run works toward an objective in the background, in its own sandbox.' },
  },
} as const;
