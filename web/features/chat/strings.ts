import { ATTACHMENT_LIMITS } from '../../../src/contract/attachments.ts';
import type { EFFORTS } from '../../../src/contract/models.ts';
import type { MessageMetadata } from '../../../src/contract/threads.ts';
import { formatNumber, plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const chatStrings = inLanguage('chatStrings', {
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
  later: 'Load later messages',
  toLatest: 'Jump to latest',
  thinking: 'Waiting for the answer…',
  reasoning: 'Thoughts',
  reasoningNow: 'Thinking…',
  thoughtFor: (ms: number): string => {
    const seconds = Math.max(1, Math.round(ms / 1000));
    return seconds < 60 ? `Thought for ${seconds} s` : `Thought for ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  skipToPrompt: 'Skip to the message field',
  copyMenu: 'More ways to copy',
  answerCopied: 'The last answer is copied.',
  copyMarkdown: 'Copy as Markdown',
  copyText: 'Copy as text',
  beginning: 'Only the beginning of this long message is shown.',
  showAll: 'Show all',
  showLess: 'Show less',
  edit: 'Edit',
  retry: 'Try again',
  failedAt: 'Failed:',
  answerWithout: 'Answer without it',
  stopped: 'You stopped this answer.',
  cutLength: 'The answer reached the model’s maximum length.',
  cutFilter: 'The provider withheld the rest of this answer.',
  lost: 'The server cannot be reached. The answer so far is kept, and this page keeps trying to reconnect.',
  reconnect: 'Reconnect',
  reconnecting: 'The connection was lost. Reconnecting… The answer so far is kept.',
  announce: {
    started: 'The answer has started.',
    done: 'The answer is complete.',
    stopped: 'The answer was stopped.',
    failed: 'The answer failed. See the message for what to do.',
    run: 'A background run has started.',
  },
  notFound: 'Chat not found',
  notFoundText: 'This chat does not exist or has been deleted.',
  messageGone: 'This message is no longer in the chat. It may have been deleted or replaced by an edit.',
  archived: 'This chat is archived.',
  demoText:
    'This deployment has no provider key, so demo models answer. Their answers are scripted. The prices shown are those of the real models; no provider charges them.',
  studyMode:
    'Study Mode is enforced for this organization, but its model cannot run here. Messages get no answer until an owner or admin turns it off.',
  modelsFailed: 'The models could not be loaded',
  threadFailed: 'This chat could not be loaded',
  noModels: 'No models are available.',
  noPlace: 'Workspaces could not be loaded. Reload them first.',
  inWorkspace: 'Workspace:',
});

export const composerStrings = inLanguage('composerStrings', {
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
  readingFile: 'Reading the file…',
  waitForUpload: 'Files are still uploading.',
  tooLong: 'A message can have at most 2,000,000 characters.',
  pasted: 'Pasted text',
  characters: (count: number): string => `${formatNumber(count)} characters`,
  saveEdit: 'Send again',
  editLabel: 'Edit your message',
  editText: 'The message before your edit is kept as a version.',
  editWaits: 'You can send this once the answer is finished and a model is available.',
});

export const queueStrings = inLanguage('queueStrings', {
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
});

export const versionStrings = inLanguage('versionStrings', {
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
});

export const timeStrings = inLanguage('timeStrings', {
  now: 'Just now',
  yesterday: (time: string): string => `Yesterday, ${time}`,
});

const MOST_MEGABYTES = ATTACHMENT_LIMITS.bytes / 1024 / 1024;

export const attachStrings = inLanguage('attachStrings', {
  tooLarge: `Larger than ${MOST_MEGABYTES} MB.`,
  tooMany: `A message can have at most ${ATTACHMENT_LIMITS.files} files.`,
  limits: `Images, PDF, Office documents and text. At most ${ATTACHMENT_LIMITS.files} files of ${MOST_MEGABYTES} MB each.`,
  count: (count: number): string => `${count} of ${ATTACHMENT_LIMITS.files} files`,
  office: 'This Office format cannot be read. Save it as DOCX, XLSX, PPTX or PDF and attach that.',
  otherImage: 'Only PNG, JPEG, GIF and WebP images can be read. Convert it first.',
  unreadable: 'Models cannot read this kind of file.',
  parts: {
    page: (count: number): string => plural(count, { one: '# page', other: '# pages' }),
    sheet: (count: number): string => plural(count, { one: '# sheet', other: '# sheets' }),
    slide: (count: number): string => plural(count, { one: '# slide', other: '# slides' }),
  },
  open: (name: string): string => `Open ${name}`,
  position: (at: number, all: number): string => `${at} of ${all}`,
  previous: 'Previous image',
  next: 'Next image',
  download: 'Download',
  broken: 'This image cannot be shown.',
});

export const mentionStrings = inLanguage('mentionStrings', {
  list: 'Capabilities',
  count: (count: number): string =>
    plural(count, {
      one: '# capability. Press Enter to select it.',
      other: '# capabilities. Use the arrow keys and Enter to select one.',
    }),
  unusable: (title: string, why: string): string => `${title}: ${why}`,
});

export const commandStrings = inLanguage('commandStrings', {
  list: 'Prompts',
  count: (count: number): string =>
    plural(count, {
      one: '# suggestion. Press Enter to select it.',
      other: '# suggestions. Use the arrow keys and Enter to select one.',
    }),
  manage: 'Manage prompts',
  manageText: 'Save a text that you use again and again.',
  shared: (text: string, workspace: string): string => `Shared in ${workspace}: ${text}`,
  fill: (name: string): string => `Fill in /${name}`,
  insert: 'Insert',
  run: 'Start a run from a recipe',
  recipes: 'Recipes',
  startRecipe: (name: string): string => `Start ${name}`,
  start: 'Start run',
  fieldMissing: (name: string): string => `Fill in ${name}.`,
  manageRecipes: 'Manage recipes',
  manageRecipesText: 'Keep a run to start it again.',
  noRecipe: 'No recipe of this workspace has this name.',
});

export const threadStrings = inLanguage('threadStrings', {
  list: 'Chats',
  failed: 'Your chats could not be loaded',
  open: 'Chats',
  fold: 'Fold the list of chats',
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
  selected: (count: number): string => plural(count, { one: '# chat selected', other: '# chats selected' }),
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
  deleteManyTitle: (count: number): string => plural(count, { one: 'Delete # chat?', other: 'Delete # chats?' }),
  deleteManyText: 'Their messages and attachments are permanently deleted.',
  deletedMany: (count: number): string => plural(count, { one: '# chat deleted.', other: '# chats deleted.' }),
  today: 'Today',
  week: 'Last 7 days',
  older: 'Older',
});

export const shareStrings = inLanguage('shareStrings', {
  title: 'Share chat',
  explain: (workspace: string): string =>
    `Members of ${workspace} who have the link can read a copy of this chat. Later messages are added only when you update it. Attachments and sources are named, but cannot be opened.`,
  thisWorkspace: 'this workspace',
  create: 'Create link',
  link: 'Link',
  copyOf: (messages: number): string =>
    plural(messages, {
      one: 'The copy has # message and was made on',
      other: 'The copy has # messages and was made on',
    }),
  update: 'Update copy',
  updated: 'The link now shows the latest version of the chat.',
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
    'The link may have been revoked, or you are not in the workspace that it was shared with. Ask the person who sent it to you.',
});

export const modelStrings = inLanguage('modelStrings', {
  label: 'Model:',
  search: 'Search models',
  noMatch: 'No models match.',
  pinned: 'Pinned',
  recent: 'Recent',
  /** By catalogue id; a model of several providers is chosen by what can pay. */
  providers: { '': 'Automatic', openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' },
  unavailable: 'Not available here',
  needsKey: 'Needs a provider key, a Models account or platform credit.',
  needsAccount: 'Needs a Models account that serves it.',
  keys: '↑ ↓ to move, Enter to choose, Alt+P to pin',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  isPinned: 'Pinned',
  images: 'Images',
  reasons: 'Reasoning',
  onlyWithKey: 'Your organization shows only models from providers it has a key for.',
  noneWithKey: 'Your organization requires a provider key, and none is saved yet. An owner or admin can save one.',
  price: (input: string, output: string): string => `${input} / ${output}`,
  prices: 'Prices per million tokens, in / out',
  longPrice: (tokens: string, input: string, output: string): string => `above ${tokens}: ${input} / ${output}`,
  context: (tokens: string): string => `${tokens} context`,
});

export const settingStrings = inLanguage('settingStrings', {
  title: 'Answer settings',
  effort: 'Effort',
  effortText: 'How much the model thinks before it answers. More takes longer and costs more.',
  efforts: {
    none: 'None',
    minimal: 'Minimal',
    low: 'Low',
    medium: 'Medium',
    high: 'High',
    xhigh: 'Very high',
    max: 'Maximum',
  } satisfies Record<(typeof EFFORTS)[number], string>,
  byDefault: (effort: string | undefined): string => (effort === undefined ? 'Default' : `Default (${effort})`),
  temperature: 'Temperature',
  temperatureText: 'Lower values give more predictable answers, higher ones more varied answers.',
  onlyWithoutEffort: 'This model takes a temperature only with the effort None.',
  setTemperature: 'Set a temperature',
  done: 'Done',
});

/** Why the policy denies a model, by error code. */
export const denialTexts = inLanguage('denialTexts', {
  'policy_denied:provider': 'This provider is disabled for your organization.',
  'policy_denied:model': 'This model is disabled for your organization.',
  'policy_denied:compliance': 'Your organization requires zero data retention, which this model does not offer.',
});

export const DENIED_OTHERWISE = inLanguage('DENIED_OTHERWISE', 'Your organization’s policy does not allow this model.');

export const answerStrings = inLanguage('answerStrings', {
  credentials: {
    platform: 'Platform credit',
    'own-key': 'Own provider key',
    'models-account': 'Models account',
  } as const satisfies Record<NonNullable<MessageMetadata['credential']>, string>,
  tokens: (input: number, output: number): string => `${formatNumber(input)} in, ${formatNumber(output)} out`,
  noCost: 'no platform cost',
  effort: (effort: string): string => `Effort: ${effort}`,
  temperature: (value: string): string => `Temperature: ${value}`,
  attachments: {
    pieces: 'Only the passages most relevant to your question were sent to the model.',
    beginning: 'Only the beginning was sent to the model.',
    'left-out': 'Not sent to the model: the context window is full.',
  },
});

/**
 * What to do after an error, by its code or a prefix of it that ends before a colon, the most specific first. Where the
 * fix is on a settings page, `do` is for people who may open it and `ask` for everyone else.
 */
export const chatAdvice = inLanguage('chatAdvice', {
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
  setting_not_supported: 'Change the answer settings below, or choose another model, then try again.',
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
});
export type ChatAdvice = keyof typeof chatAdvice;

export const problemPages = inLanguage('problemPages', {
  byok: 'BYOK: organization keys',
  llmKeys: (workspace: string): string => `LLM keys for ${workspace}`,
  plan: 'Plan and usage',
  integrations: 'Open Integrations',
});

export const NOT_ACCEPTED = inLanguage('NOT_ACCEPTED', 'The message was not accepted.');
export const KEPT = inLanguage('KEPT', 'Your message is kept. You can try again or edit it.');

export const firstSteps = inLanguage('firstSteps', {
  title: 'First steps',
  dismiss: 'Hide',
  done: 'Done',
  steps: {
    ask: { title: 'Ask a question', text: 'Type below and press Enter.' },
    key: {
      title: 'Add a provider key',
      text: 'With your own key, requests are billed to your account with the provider.',
    },
    connect: { title: 'Connect an app', text: 'You, your runs and your MCP clients can then use its tools.' },
    client: {
      title: 'Call a tool from an MCP client',
      text: 'Give your client the gateway address. It signs in through your browser or with a token.',
    },
    run: { title: 'Start a run', text: 'A run works toward an objective in the background, in its own sandbox.' },
  },
});
