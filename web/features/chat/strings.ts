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
  reasoning: 'Reasoning',
  showAll: 'Show all',
  showLess: 'Show less',
  edit: 'Edit',
  retry: 'Try again',
  answerWithout: 'Answer without it',
  stopped: 'You stopped this answer.',
  cutLength: 'The answer reached the model’s maximum length.',
  cutFilter: 'The provider withheld the rest of this answer.',
  lost: 'The connection was lost. The answer is still being written on the server.',
  reconnect: 'Reconnect',
  announce: {
    started: 'The answer has started.',
    done: 'The answer is complete.',
    stopped: 'The answer was stopped.',
    failed: 'The answer failed. See the message for what to do.',
    run: 'A background run has started.',
  },
  notFound: 'Chat not found',
  notFoundText: 'This chat does not exist or has been deleted.',
  demo: 'Demo',
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
  hint: 'Enter to send, Shift+Enter for a new line.',
  send: 'Send',
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
  editText: 'Everything after this message will be replaced by a new answer.',
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
  today: 'Today',
  week: 'Last 7 days',
  older: 'Older',
} as const;

export const modelStrings = {
  label: 'Model:',
  search: 'Search models',
  noMatch: 'No models match.',
  notAllowed: 'Not allowed here',
  onlyWithKey: 'Your organization shows only models from providers it has a key for.',
  noneWithKey: 'Your organization requires a provider key, and none is saved yet. An owner or admin can save one.',
  price: (input: string, output: string): string => `${input} in, ${output} out per million tokens`,
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
