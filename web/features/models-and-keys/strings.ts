// Provider keys of an organization or a workspace, and Models accounts.
import type { AccountAuth, AccountProtocol } from '../../../src/contract/accounts/account-kinds.ts';
import { describeKeyUse as keyUseEnglish } from '../../../src/contract/key-use.ts';
import { formatList, plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

const demoKeys: Readonly<Record<string, string>> = { openai: 'sk-demo', anthropic: 'sk-ant-demo' };

export const keyStrings = inLanguage('keyStrings', {
  title: (provider: string): string => `${provider} API Key`,
  configured: 'Configured, new requests for this provider will use your org key.',
  notConfigured: 'Not configured, requests will continue using platform defaults.',
  required: 'Provider API key is required.',
  placeholder: 'sk-…',
  /** Shown only where demo providers answer: they accept no other keys. */
  demo: (key: string): string =>
    `Demo models answer here, and the demo provider accepts only demo keys. To try it, save ${key}. Do not save a real key.`,
  demoKeys,
  masked: '•'.repeat(24),
  save: 'Save key',
  remove: 'Remove key',
  removeTitle: (provider: string): string => `Remove the ${provider} key?`,
  removeText: (provider: string): string =>
    `Requests stop using it at once, and it cannot be shown or restored: to use it again, paste it again. Without another key, requests for ${provider} models use platform credit or are refused.`,
  fingerprint: 'Fingerprint',
  saved: 'Saved',
  undecryptable:
    'This key can no longer be decrypted, because the deployment’s encryption key has changed. Requests that need it fail. Remove the key and save it again.',
  notRead: (provider: string): string =>
    `Chat does not use this key, because the organization has no ${provider} key. Requests use platform credit. An organization owner or admin can save a key on the BYOK page.`,
  readOnly: 'Only owners and admins of the workspace or organization can change keys.',
  zdr: {
    title: 'Disable ZDR for this provider?',
    text: (provider: string): string =>
      `Your organization requires zero data retention. While your own ${provider} key is saved, the requirement is not enforced for models that run on ${provider}. It still applies to other providers. Remove the key to enforce it again.`,
    confirm: 'Save key and disable ZDR',
  },
});

export const byokStrings = inLanguage('byokStrings', {
  title: 'BYOK',
  description:
    'Bring your own key: requests that use it count against your limits and bill with the provider, not against your platform credit.',
  loadFailed: 'Organization API keys could not be loaded. Refresh and try again.',
  reachTitle: 'Where the organization key is used',
  reachText:
    'Background runs, attachments and chat titles use it. Chat in a workspace uses the key saved on the LLM keys tab of the workspace’s MCP Gateway.',
  inherit: 'Inherit organization keys',
  inheritText:
    'Workspaces without their own key also use the organization key in chat. When this is off, they use platform credit.',
  note: 'To replace a key, remove it and save a new one. Keys are stored encrypted, never shown again, and sent only to the provider.',
});

export const workspaceKeyStrings = inLanguage('workspaceKeyStrings', {
  title: 'LLM keys',
  text: (workspace: string): string => `Keys saved here are used only in ${workspace}.`,
  loadFailed: 'The API keys of this workspace could not be loaded.',
});

const protocols: Readonly<Record<AccountProtocol, string>> = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
};
const auths: Readonly<Record<AccountAuth, string>> = {
  bearer: 'Bearer key',
  azure: 'Azure OpenAI',
  aws: 'Amazon Bedrock',
  google: 'Google Vertex AI',
};
const baseUrlHints: Readonly<Record<AccountAuth, string>> = {
  bearer: 'Include the path, for example https://models.example.com/v1',
  azure:
    'For example https://my-resource.openai.azure.com/openai/v1 or, for the older API, …/openai/deployments/my-deployment?api-version=2024-10-21',
  aws: 'For example https://bedrock-runtime.us-east-1.amazonaws.com',
  google:
    'With project and location, for example https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5',
};

export const modelsAccountStrings = inLanguage('modelsAccountStrings', {
  title: 'Models accounts',
  text: 'Other servers of models for this workspace. The first account with a matching pattern serves a model, ahead of any key and of the organization’s accounts.',
  organizationText:
    'Other servers of models for every workspace, for example a local Ollama or vLLM. The first account with a matching pattern serves a model, ahead of any key. A workspace’s own accounts come first.',
  loadFailed: 'The Models accounts could not be loaded.',
  none: 'No Models accounts.',
  add: 'Add account',
  addTitle: 'Add a Models account',
  edit: 'Edit',
  editOf: (account: string): string => `Edit ${account}`,
  editTitle: 'Edit the Models account',
  moveUp: (account: string): string => `Move ${account} up`,
  moveDown: (account: string): string => `Move ${account} down`,
  ordered: (accounts: readonly string[]): string => `New order: ${formatList(accounts)}`,
  auth: 'Authorization',
  authHint: 'How the server recognizes the account.',
  auths,
  protocol: 'Protocol',
  protocolHint: 'What the server speaks. Requests in other protocols are translated.',
  protocols,
  baseUrl: 'Base URL',
  baseUrlHints,
  baseUrlRequired: 'Enter the base URL.',
  key: 'Account key',
  keyHint: 'Required for every change and never shown again.',
  keyRequired: 'Enter the account key.',
  accessKeyId: 'Access key ID',
  secretAccessKey: 'Secret access key',
  sessionToken: 'Session token',
  sessionTokenHint: 'Only for temporary credentials, which stop working when they expire.',
  region: 'Region',
  regionHint: 'For example us-east-1',
  regionRequired: 'Enter the region.',
  serviceAccount: 'Service-account key',
  serviceAccountHint: 'The contents of the JSON key file. Required for every change and never shown again.',
  models: 'Model patterns',
  modelsHint:
    'One per line. * matches anything, for example llama3.3 or gemini-*. Names without * appear in the model picker.',
  takesEffort: 'Supports reasoning effort',
  takesEffortHint:
    'Turn this on if the account supports the reasoning_effort field. Otherwise the effort is dropped when a request is translated.',
  modelsRequired: 'Enter at least one model.',
  save: 'Save account',
  saved: 'Models account saved.',
  remove: 'Remove account',
  removeOf: (account: string): string => `Remove ${account}`,
  removeTitle: 'Remove the Models account?',
  removeText: (account: string): string =>
    `The models of ${account} will use other accounts, keys or platform credit, or become unavailable if nothing else serves them.`,
  removed: 'Models account removed.',
  undecryptable:
    'The account key can no longer be decrypted, because the deployment’s encryption key has changed. Requests that need it fail. Save the account again with its key.',
});

const denials: Readonly<Record<string, string>> = {
  'policy_denied:provider': 'Blocked: its provider is disabled',
  'policy_denied:compliance': 'Blocked: no zero data retention',
};

export const routeStrings = inLanguage('routeStrings', {
  title: 'Routes',
  text: 'A route is several models under one name. Requests that name it get the first model that answers. Requests that name a model itself are never sent elsewhere.',
  empty: 'No routes',
  emptyText: 'Add one, and choose it like a model: in the chat, or as the model of an API request.',
  add: 'Add route',
  slug: 'Name',
  slugHint: 'Requests use route/ and this name. Auto follows the route named auto.',
  slugRequired: 'Enter a name.',
  order: 'Models, in the order in which they are tried',
  addModel: 'Add model',
  modelsRequired: 'Add at least one model.',
  moved: (model: string, position: number): string => `${model} is now number ${position}.`,
  up: (model: string): string => `Move ${model} up`,
  down: (model: string): string => `Move ${model} down`,
  leaveOut: (model: string): string => `Remove ${model}`,
  on: 'Try the next model if a model',
  reasons: {
    rate_limited: 'is rate limited',
    overloaded: 'is overloaded',
    unavailable: 'is unavailable',
    timeout: 'does not answer in time',
  },
  save: 'Save route',
  saved: 'Route saved',
  cancel: 'Cancel',
  test: 'Test',
  answered: (model: string): string => `${model} answered.`,
  didNotAnswer: (model: string, reason: string): string => `${model} did not: ${reason}`,
  remove: 'Delete route',
  removeTitle: (name: string): string => `Delete ${name}?`,
  removeText: 'Requests that name it are refused from then on.',
  removed: 'Route deleted',
});

export const modelSettingsStrings = inLanguage('modelSettingsStrings', {
  title: 'Models',
  description:
    'Which models members of this organization may use. The server checks every chat request before it contacts a provider.',
  providers: 'Providers',
  providersText: 'A model is available as long as one of its providers is allowed.',
  models: 'Allowed models',
  search: 'Search models',
  matching: (count: number): string => plural(count, { one: '# model', other: '# models' }),
  empty: 'No models match',
  emptyText: 'Try another name or provider.',
  unknown: 'No longer in the catalog; still disabled.',
  denials,
  list: 'Model list',
  allowUnlisted: 'Allow unlisted models on own keys',
  allowUnlistedText:
    'Requests on the chat API may name models of a provider that this list does not have yet, if your own key for that provider pays. Their cost is unknown, so caps do not count it.',
  requireKey: 'Require organization provider key',
  requireKeyText:
    'The chat page lists only models whose provider has a key in the organization or workspace. This only shortens the list: the server does not refuse other models.',
});

export const describeKeyUse = inLanguage('describeKeyUse', keyUseEnglish);
