import type { MessageMetadata } from '../../../src/contract/threads.ts';

export const chatStrings = {
  title: 'Chat',
  newChat: 'New chat',
  greeting: (name: string): string => `What can I help with, ${name}?`,
  greetingText: 'Ask anything. Answers stream in, and you can stop, edit and retry them.',
  suggestionsTitle: 'Suggestions',
  suggestions: [
    { title: 'Write some code', prompt: 'Write a function that counts the words of a text.' },
    { title: 'Make a list', prompt: 'Make a list of what to check before a release.' },
    { title: 'Explain something', prompt: 'Explain in simple words how a hash chain shows that a log was changed.' },
    {
      title: 'Draft a longer text',
      prompt: 'Write a long article about what a background agent should never do alone.',
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
  cutLength: 'The answer reached the longest length this model writes.',
  cutFilter: 'The provider withheld the rest of this answer.',
  lost: 'The connection was lost while the answer was being written. It goes on without this page.',
  reconnect: 'Reconnect',
  announce: {
    started: 'The answer has started.',
    done: 'The answer is complete.',
    stopped: 'The answer was stopped.',
    failed: 'There is no answer. See the message for what to do.',
    run: 'A background run has started.',
  },
  notFound: 'Chat not found',
  notFoundText: 'There is no such chat among yours. It may have been deleted.',
  demo: 'Demo',
  demoText:
    'This deployment has no provider key of its own, so demo models answer. Their answers are made by rule and cost nothing real.',
  studyMode:
    'Study Mode is enforced for this organization, and its model cannot be executed here. Messages get no answer until an owner or admin turns it off.',
  noModels: 'No model can be used here.',
  noPlace: 'It is not known yet which workspace this is. Load the workspaces again first.',
  inWorkspace: 'Workspace:',
} as const;

export const composerStrings = {
  label: 'Message',
  placeholder: 'Write a message',
  hint: 'Enter sends, Shift and Enter starts a new line.',
  send: 'Send',
  stop: 'Stop',
  stopping: 'Stopping…',
  attach: 'Attach files',
  mode: 'How to work on it',
  modes: { answer: 'Answer', background: 'Background' },
  backgroundHint: 'A run works on it in the background; you can leave, and its answer comes here.',
  notForRuns: 'Background runs call OpenAI, which does not serve this model. Choose another, or choose Answer.',
  noFiles: 'A background run takes no files. Remove them, or choose Answer.',
  appMissing: (app: string): string =>
    `${app} is not connected in this workspace. Connect it, or choose Answer to ask without it. Your message and its files stay here.`,
  appUnusable: (app: string, why: string): string =>
    `${app} cannot be used now. ${why} Or choose Answer to ask without it. Your message and its files stay here.`,
  drop: 'Drop files to attach them',
  attachments: 'Attachments',
  removeOf: (name: string): string => `Remove ${name}`,
  uploading: (percent: number): string => `Uploading, ${percent} %`,
  waitForUpload: 'Files are still being uploaded.',
  tooLarge: 'Larger than 20 MB.',
  tooMany: 'At most 20 files fit into a message.',
  tooLong: 'A message holds at most 2,000,000 characters.',
  pasted: 'Pasted text',
  characters: (count: number): string => `${count.toLocaleString()} characters`,
  saveEdit: 'Send again',
  editLabel: 'Edit your message',
  editText: 'Everything after this message is replaced by a new answer.',
} as const;

export const mentionStrings = {
  list: 'Capabilities',
  count: (count: number): string =>
    count === 1 ? '1 capability. Enter picks it.' : `${count} capabilities. Arrow keys choose, Enter picks.`,
  unusable: (title: string, why: string): string => `${title}: ${why}`,
} as const;

export const threadStrings = {
  list: 'Chats',
  open: 'Chats',
  search: 'Search chats',
  empty: 'No chats yet',
  emptyText: 'What you ask is kept here.',
  noMatch: 'No chat matches.',
  actionsOf: (title: string): string => `Actions of ${title}`,
  rename: 'Rename',
  renameTitle: 'Rename chat',
  name: 'Title',
  save: 'Save',
  renamed: 'Chat renamed.',
  delete: 'Delete',
  deleteTitle: (title: string): string => `Delete “${title}”?`,
  deleteText: 'Its messages and attachments are deleted for good.',
  deleted: 'Chat deleted.',
  today: 'Today',
  week: 'Last 7 days',
  older: 'Older',
} as const;

export const modelStrings = {
  label: 'Model:',
  search: 'Search models',
  noMatch: 'No model matches.',
  notAllowed: 'Not allowed here',
  onlyWithKey: 'Your organization shows only models of providers that it has a key for.',
  noneWithKey:
    'Your organization asks for its own provider key, and none is saved yet. An owner or admin can save one.',
  price: (input: string, output: string): string => `${input} in, ${output} out per million tokens`,
  context: (tokens: string): string => `${tokens} context`,
} as const;

/** Why the policy refuses a model, by the code of the refusal. */
export const denialTexts = {
  'policy_denied:provider': 'Its provider is disabled for your organization.',
  'policy_denied:model': 'It is disabled for your organization.',
  'policy_denied:compliance': 'Your organization requires zero data retention, which it does not offer.',
} as const;

export const DENIED_OTHERWISE = 'The policy of your organization does not allow it.';

export const answerStrings = {
  credentials: {
    platform: 'Platform credit',
    'own-key': 'Own provider key',
    'models-account': 'Models account',
  } as const satisfies Record<NonNullable<MessageMetadata['credential']>, string>,
  tokens: (input: number, output: number): string => `${input.toLocaleString()} in, ${output.toLocaleString()} out`,
  noCost: 'no platform cost',
  attachments: {
    pieces: 'Only the passages nearest to your question were shown to the model.',
    beginning: 'Only its beginning was shown to the model.',
    'left-out': 'It was not shown to the model: there was no room left.',
  },
} as const;

/**
 * What to do after a refusal, by its code or a part of it before a colon, the most exact first. Two texts where it
 * depends on whether the person may open a page that fixes it.
 */
export const chatAdvice = {
  'policy_denied:missing_provider_api_key': {
    do: 'Save a key, or choose another model below, then try again.',
    ask: 'Ask an owner or admin to save one, or choose another model below.',
  },
  'policy_denied:provider_not_supported_by_byok': {
    do: 'Choose another model below, or add a Models account that serves this one.',
    ask: 'Choose another model below, then try again.',
  },
  policy_denied: 'Choose another model below, then try again.',
  model_not_found: 'Choose another model below, then try again.',
  model_not_routable: {
    do: 'Choose another model below, or add a Models account that serves this one.',
    ask: 'Choose another model below, then try again.',
  },
  model_not_supported_for_runs: 'Choose another model below, then try again.',
  capability_unusable: 'Connect it under Integrations, or ask for an answer without it.',
  invalid_request:
    'A background run takes no files. Send the message without them, or ask for an answer instead of a run.',
  study_mode_unavailable: 'An owner or admin can turn Study Mode off.',
  quota_exceeded: {
    do: 'See what is left of the plan, or save a provider key: requests on your own key take nothing of the budget.',
    ask: 'Ask an owner or admin for a larger plan or a provider key.',
  },
  provider_key_rejected: {
    do: 'Remove the key and save a valid one, then try again.',
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
  byok: 'BYOK: keys of the organization',
  llmKeys: (workspace: string): string => `LLM keys of ${workspace}`,
  plan: 'Plan and usage',
  integrations: 'Open Integrations',
} as const;

export const NOT_ACCEPTED = 'The message was not accepted as it is.';
export const KEPT = 'Your message is kept. You can try again or edit it.';

export const firstSteps = {
  title: 'First steps',
  dismiss: 'Hide',
  done: 'Done',
  steps: {
    ask: { title: 'Ask a question', text: 'Type below and press Enter.' },
    key: {
      title: 'Add a provider key, or use the demo',
      text: 'With your own key, requests run on your account at the provider.',
    },
    connect: { title: 'Connect an app', text: 'Its tools can then be called by you, by runs and by MCP clients.' },
    client: {
      title: 'Call a tool from an MCP client',
      text: 'Give your client the address of the gateway; it signs in in the browser or with a token.',
    },
    run: { title: 'Start a run', text: 'It works on an objective in the background, in a sandbox of its own.' },
  },
} as const;
