import type { Scope } from '../../src/contract/tokens.ts';

export const gatewayStrings = {
  title: 'MCP Gateway',
  description: (workspace: string): string => `How MCP clients, agents and scripts reach the apps of ${workspace}.`,
  tabs: { overview: 'Overview', 'llm-keys': 'LLM keys', tokens: 'Tokens' },
  overview: {
    address: 'MCP address',
    addressText: 'Give this address to an MCP client that speaks Streamable HTTP. A client that can sign in opens this app and asks you to approve it; any other client sends a token from the Tokens tab as a bearer token.',
    rest: 'REST address',
    restText: 'The same tools, one call a request. Each call leaves a receipt.',
    workspaceId: 'Workspace id',
    workspaceIdText: 'A token limited to this workspace needs no id. Other tokens name it in the call.',
    rulesTitle: 'What a client may do',
    rules: [
      'It acts as the person who made the token, with the membership that person has at that moment.',
      'It sees only the actions that are enabled on a connection. Writes stay off until an owner or admin enables them.',
      'A write also needs the scope connect:write on its token.',
    ],
    makeToken: 'Make a token',
  },
} as const;

export const scopeTexts = {
  'connect:read': { name: 'Use connections', text: 'See connections and call enabled read actions.' },
  'connect:write': { name: 'Write through connections', text: 'Call enabled write actions; add, change and remove connections where the person may.' },
  chat: { name: 'Chat with models', text: 'Send messages to models, at the cost of the organization.' },
  'jobs:read': { name: 'See runs', text: 'Read background runs, their output and artifacts.' },
  'jobs:write': { name: 'Start runs', text: 'Start and abort background runs.' },
  'receipts:read': { name: 'Read receipts', text: 'Read and verify the audit receipts of the workspaces.' },
} as const satisfies Record<Scope, { name: string; text: string }>;

export const SCOPE_ORDER = Object.keys(scopeTexts) as Scope[];

export const tokenStrings = {
  title: 'Your tokens',
  text: 'A token lets a program act as you, within its scopes, until it expires or you revoke it.',
  create: 'New token',
  createTitle: 'Create a token',
  createSubmit: 'Create token',
  name: 'Name',
  nameHint: 'Where it will be used, for example “laptop” or “nightly report”.',
  scopes: 'Scopes',
  scopesRequired: 'Choose at least one scope.',
  lifetime: 'Lifetime',
  lifetimes: { '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': '365 days' } as Record<string, string>,
  limit: 'Limit to this workspace',
  limitText: (workspace: string): string => `Calls outside ${workspace} are refused.`,
  createdTitle: 'Token created',
  createdText: 'Copy it now. It is shown once and cannot be read again.',
  token: 'Token',
  done: 'I have copied it',
  empty: 'No tokens yet',
  emptyText: 'Create one for an MCP client, the command line or a script.',
  expires: 'Expires',
  reachHere: 'This workspace',
  reachAll: 'All workspaces',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  revoke: 'Revoke',
  revokeOf: (name: string): string => `Revoke ${name}`,
  revokeTitle: (name: string): string => `Revoke “${name}”?`,
  revokeText: 'Programs that use it are refused from now on. This cannot be undone.',
  revokedToast: (name: string): string => `Token “${name}” was revoked.`,
} as const;
