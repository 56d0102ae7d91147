// Provider keys, at the organization and at a workspace, and a workspace's Models account.
export const keyStrings = {
  title: (provider: string): string => `${provider} API Key`,
  configured: 'Configured, new requests for this provider will use your org key.',
  notConfigured: 'Not configured, requests will continue using platform defaults.',
  required: 'Provider API key is required.',
  placeholder: 'sk-…',
  /** Only where demo providers answer; they take no other keys. */
  demo: (key: string): string =>
    `Demo models answer here, and the demo provider takes demo keys only. To try this out, save ${key}; never a real key.`,
  demoKeys: { openai: 'sk-demo', anthropic: 'sk-ant-demo' } as Readonly<Record<string, string>>,
  masked: '•'.repeat(24),
  save: 'Save key',
  remove: 'Remove key',
  fingerprint: 'Fingerprint',
  saved: 'Saved',
  undecryptable:
    'This key can no longer be decrypted, because the deployment’s encryption key was changed. Requests that need it fail. Remove the key and save it again.',
  notRead: (provider: string): string =>
    `Chat does not use this key now, because the organization itself has no ${provider} key: requests run on platform credit. An organization owner or admin can save one on the BYOK page.`,
  readOnly: 'Only owners and admins of the workspace or the organization can change keys.',
  zdr: {
    title: 'Disable ZDR for this provider?',
    text: (provider: string): string =>
      `Your organization requires zero data retention. While a key of your own for ${provider} is saved, the requirement is not enforced for models that run at ${provider}; other providers keep it. Removing the key ends this.`,
    confirm: 'Save key and disable ZDR',
  },
} as const;

export const byokStrings = {
  title: 'BYOK',
  description:
    'Bring your own key: requests that use it run at the provider’s limits and on your bill there, and reserve nothing of your platform credit.',
  loadFailed: 'Organization API keys could not be loaded. Refresh and try again.',
  reachTitle: 'Where the organization key is used',
  reachText:
    'Background runs, attachments, and thread titles of turns without a key of their own use it. Chat in a workspace uses the key saved on the LLM keys tab of that workspace’s MCP Gateway.',
  inherit: 'Inherit organization keys',
  inheritText:
    'A workspace without a key of its own uses the organization key in chat too. While this is off, such a workspace runs on platform credit.',
  note: 'A key is replaced by removing it and saving a new one. It is stored encrypted, never shown again, and sent to nobody but the provider.',
} as const;

export const workspaceKeyStrings = {
  title: 'LLM keys',
  text: (workspace: string): string => `A key saved here serves ${workspace} only.`,
  loadFailed: 'The API keys of this workspace could not be loaded.',
} as const;

export const accountStrings = {
  title: 'Models account',
  text: 'An OpenAI-compatible account of this workspace. It serves every model that one of its patterns names, before any key and before the organization’s account.',
  organizationText:
    'An OpenAI-compatible account for every workspace, for example a local Ollama or vLLM. It serves every model that one of its patterns names, before any key. A workspace’s own account comes first.',
  loadFailed: 'The Models account could not be loaded.',
  configured: 'Configured',
  notConfigured: 'Not configured',
  baseUrl: 'Base URL',
  baseUrlHint: 'With its path, for example https://models.example.com/v1',
  baseUrlRequired: 'Enter the address of the account.',
  key: 'Account key',
  keyHint: 'Asked for at every change and never shown again.',
  keyRequired: 'Enter the key of the account.',
  models: 'Model patterns',
  modelsHint:
    'One a line; * stands for anything, for example llama3.3 or gemini-*. Names without * are offered in the model picker.',
  takesEffort: 'Takes a reasoning effort',
  takesEffortHint:
    'Turn on if the account knows the field reasoning_effort. Otherwise an effort is left out when a request is translated.',
  modelsRequired: 'Name at least one model.',
  save: 'Save account',
  saved: 'Models account saved.',
  remove: 'Remove account',
  removeTitle: 'Remove the Models account?',
  removeText: 'Its models run on keys or platform credit from now on, or not at all when nothing else routes them.',
  removed: 'Models account removed.',
  undecryptable:
    'The key of this account can no longer be decrypted, because the deployment’s encryption key was changed. Requests that it would pay for fail. Save the account again with its key.',
} as const;

export const modelSettingsStrings = {
  title: 'Models',
  description:
    'Which models the members of this organization may use. Every chat request is checked on the server before a provider is contacted.',
  providers: 'Providers',
  providersText: 'A model stays usable while one of its providers is allowed.',
  models: 'Allowed models',
  search: 'Search models',
  matching: (count: number): string => (count === 1 ? '1 model' : `${count} models`),
  empty: 'No model matches',
  emptyText: 'Try another name or provider.',
  unknown: 'Not in the catalogue; kept as disabled.',
  denials: {
    'policy_denied:provider': 'Blocked: its provider is disabled',
    'policy_denied:compliance': 'Blocked: no zero data retention',
  } as Readonly<Record<string, string>>,
  list: 'Model list',
  requireKey: 'Require organization provider key',
  requireKeyText:
    'The chat page lists only models whose provider has a key in the organization or in the workspace. It narrows that list and nothing else: the server does not refuse the others.',
} as const;
