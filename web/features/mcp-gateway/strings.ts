import type { Scope } from '../../../src/contract/tokens.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const gatewayEnglish = {
  title: 'MCP Gateway',
  description: (workspace: string): string => `How MCP clients, agents and scripts reach the apps of ${workspace}.`,
  tabs: {
    overview: 'Overview',
    connections: 'Connections',
    'llm-keys': 'LLM keys',
    clients: 'Clients',
    tokens: 'Tokens',
  },
  overview: {
    figures: 'At a glance',
    connections: 'Connections',
    attention: (count: number): string => plural(count, { one: '# needs attention', other: '# need attention' }),
    allWell: 'All working',
    noneYet: 'None yet',
    tools: 'Tools for clients',
    ofTools: (reads: number, writes: number): string => `${reads} read, ${writes} write`,
    clients: 'Approved clients',
    clientsText: 'Signed in through the browser',
    tokens: 'Active tokens',
    tokensText: 'Yours, for this workspace',
    keys: 'LLM keys',
    keysText: 'In this workspace',
    receipts: 'Receipts',
    receiptsText: 'For tool calls over REST',
    unknown: 'Unknown',
    address: 'MCP address',
    addressText:
      'Give this address to an MCP client that supports Streamable HTTP. Clients that can sign in open this app and ask for your approval. All others send a token from the Tokens tab as a bearer token.',
    rest: 'REST address',
    restText: 'The same tools, one call per request. Each call leaves a receipt.',
    workspaceId: 'Workspace ID',
    workspaceIdText:
      'A token limited to this workspace does not need it. With any other token, include it in the call.',
    rulesTitle: 'What a client may do',
    rules: [
      'It acts on behalf of the person who created the token, with that person’s current membership.',
      'It sees only the actions enabled on a connection. Writes stay off until an owner or admin enables them.',
      'For writes, its token also needs the connect:write scope.',
    ],
    setUpClient: 'Set up a client',
    makeToken: 'Create a token',
  },
} as const;

const scopeTextsEnglish = {
  'connect:read': { name: 'Use connections', text: 'See connections and call enabled read actions.' },
  'connect:write': {
    name: 'Write through connections',
    text: 'Call enabled write actions, and add, change and remove connections where you may.',
  },
  chat: { name: 'Chat with models', text: 'Send messages to models, billed to the organization.' },
  'jobs:read': { name: 'See runs', text: 'Read background runs, their output and their files.' },
  'jobs:write': { name: 'Start runs', text: 'Start and abort background runs.' },
  'receipts:read': { name: 'Read receipts', text: 'Read and verify the audit receipts of your workspaces.' },
} as const satisfies Record<Scope, { name: string; text: string }>;

export const SCOPE_ORDER = Object.keys(scopeTextsEnglish) as Scope[];

const tokenEnglish = {
  models: 'Only for these models',
  modelsHint: 'Names or patterns; * stands for anything. Leave empty for all models.',
  modelsPlaceholder: 'openai/gpt-5-*',
  monthlyUsd: 'Monthly cap in US dollars',
  monthlyUsdHint: 'What it may spend per calendar month (UTC). Leave empty for no cap.',
  monthlyUsdInvalid: 'Enter an amount of zero or more, or leave it empty.',
  rotate: 'Rotate',
  rotateTitle: (name: string): string => `Rotate ${name}?`,
  rotateText:
    'You get a new token with the same name, scopes and limits. The old one works for one more hour, so that you can replace it everywhere without a gap.',
  replaced: 'Replaced, still works',
  lastUsed: 'Last used ',
  neverUsed: 'Never used',
  onlyModels: (models: string): string => `Only for ${models}`,
  upTo: (usd: number): string => `Up to $${usd} per month`,
  title: 'Your tokens',
  text: 'A token lets a program act as you, within its scopes, until it expires or you revoke it.',
  create: 'New token',
  createTitle: 'Create a token',
  createSubmit: 'Create token',
  name: 'Name',
  nameHint: 'Where you will use it, for example “laptop” or “nightly report”.',
  scopes: 'Scopes',
  scopesRequired: 'Choose at least one scope.',
  lifetime: 'Lifetime',
  lifetimes: { '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': '365 days' } as Record<string, string>,
  limit: 'Limit to this workspace',
  limitText: (workspace: string): string => `Calls outside ${workspace} are refused.`,
  createdTitle: 'Token created',
  createdText: 'Copy it now. You will not be able to see it again.',
  token: 'Token',
  done: 'I have copied it',
  empty: 'No tokens yet',
  emptyText: 'Create one for an MCP client, the command line or a script.',
  created: 'Created',
  expires: 'Expires',
  reachHere: 'This workspace',
  reachAll: 'All workspaces',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  revoke: 'Revoke',
  revokeTitle: (name: string): string => `Revoke “${name}”?`,
  revokeText: 'Programs that use it lose access immediately. This cannot be undone.',
  revokedToast: (name: string): string => `Token “${name}” revoked.`,
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  gatewayStrings: gatewayEnglish,
  scopeTexts: scopeTextsEnglish,
  tokenStrings: tokenEnglish,
};

export const { gatewayStrings, scopeTexts, tokenStrings } = inLanguage(english, german);
