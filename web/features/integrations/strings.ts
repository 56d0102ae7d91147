import type { ConnectionOnWire } from '../../../src/contract/connections.ts';

export const integrationStrings = {
  title: 'Integrations',
  description: (workspace: string): string =>
    `Apps that people, agents and MCP clients of ${workspace} can use. The credentials of connected apps stay with the integration provider; imported ones are stored here, encrypted.`,
  list: 'Apps',
  search: 'Search apps',
  category: 'Category',
  allCategories: 'All categories',
  show: 'Show',
  shows: { all: 'All apps', connected: 'Connected', attention: 'Needs attention', free: 'Not connected' },
  found: (count: number, all: number): string => (count === all ? `${all} apps` : `${count} of ${all} apps`),
  none: 'No app matches',
  noneText: 'Try another word, or take the filters away.',
  clear: 'Show all apps',
  notMember: 'You are not a member of this workspace',
  notMemberText: 'Connections are shown to the members of a workspace. Add yourself on its page to see and use them.',
  openWorkspace: 'Open the workspace',
  tools: (count: number): string => (count === 1 ? '1 tool' : `${count} tools`),
  withWrites: (count: number, writes: number): string =>
    `${count} tools, ${writes === 1 ? '1 write' : `${writes} writes`}`,
  discoveredTools: 'Tools of its own MCP server',
  noTools: 'For the command line of runs',
  toolsOf: (app: string): string => `Tools of ${app}`,
  connect: 'Connect',
  reconnect: 'Reconnect',
  disconnect: 'Disconnect',
  import: 'Import',
  importAgain: 'Import again',
  manage: 'Actions',
  reconnectNamed: 'Connect it again on the MCP Gateway page.',
  disconnectTitle: (app: string): string => `Disconnect ${app}?`,
  disconnectText: (workspace: string): string =>
    `${workspace} can no longer use it, and its credential is removed at the integration provider. What is enabled for it is forgotten.`,
  disconnected: (app: string): string => `${app} was disconnected.`,
} as const;

/** Why nothing can be connected here: hosted for somebody else's deployment, local for one's own machine. */
export const notConfiguredTexts = {
  hosted:
    'Integrations are temporarily unavailable because the connection service is not configured, contact the administrator.',
  local: 'Integrations are not configured for this local app, start the integrated stack.',
} as const;

export const connectingStrings = {
  title: (app: string): string => `Connect ${app}`,
  opening: 'Preparing the connect page…',
  waiting: 'Finish in the window that has opened. This page notices by itself when you are done.',
  blocked:
    'Your browser did not let the window open. Open the connect page yourself; this page notices when you are done.',
  open: 'Open the connect page',
  openAgain: 'Open it again',
  link: 'Connect link',
  linkText: 'It works for you alone and for a short while.',
  state: (app: string): string => `Waiting for ${app}…`,
  expired: 'The connect link has expired before it was used.',
  refused: (app: string): string => `${app} was not connected: access was refused, or failed, in the connect window.`,
  closed: (app: string): string => `${app} was not connected: the connect window was closed before it was done.`,
  newLink: 'Make a new link',
  done: (app: string): string => `${app} is connected.`,
} as const;

export const statusNames = { valid: 'Valid', expired: 'Expired', invalid: 'Invalid' } as const satisfies Record<
  ConnectionOnWire['status'],
  string
>;

/** What happened to a connection, in plain words; the way out is the button beside it. */
export const statusReasons: Readonly<Record<string, string>> = {
  provider_auth_refresh_failed: 'Renewing the authorization failed. Connect it again.',
  provider_connection_errors: 'The integration provider reports errors of this connection. Connect it again.',
  provider_refresh_exhausted: 'The integration provider has given up renewing the authorization. Connect it again.',
  provider_connection_missing: 'The integration provider no longer has this connection. Connect it again.',
  workspace_membership_revoked: 'Somebody who has left the workspace authorized it last. Connect it again.',
  workspace_authority_required: 'Somebody who may not replace it authorized it last. Connect it again.',
};

export const statusTexts = {
  expired: 'Its authorization has run out. Connect it again.',
  expiredImport: 'The imported credentials have run out. Import new ones.',
  invalid: 'It can no longer be used. Connect it again.',
} as const;

export const kindNames = {
  'integration-reference': 'Connected through the integration provider',
  'local-cloud-profile': 'Cloud profile of the command line',
  'cloud-credential-process': 'Imported cloud credentials',
  'code-host-token': 'Imported access token',
} as const satisfies Record<ConnectionOnWire['kind'], string>;

export const categoryNames: Readonly<Record<string, string>> = {
  analytics: 'Analytics',
  code: 'Code',
  commerce: 'Commerce',
  communication: 'Communication',
  crm: 'Customers',
  design: 'Design',
  documents: 'Documents',
  finance: 'Finance',
  hr: 'People and hiring',
  infrastructure: 'Infrastructure',
  marketing: 'Marketing',
  productivity: 'Productivity',
  support: 'Support',
};

export const authNames: Readonly<Record<string, string>> = {
  API_KEY: 'API key',
  BASIC: 'User name or key pair',
  OAUTH1: 'OAuth 1',
  OAUTH2: 'OAuth',
  OAUTH2_CC: 'OAuth client credentials',
  MCP_OAUTH2: 'OAuth of its MCP server',
};

export const importStrings = {
  title: (app: string): string => `Import into ${app}`,
  kind: 'What to import',
  kinds: {
    'local-cloud-profile': 'Profile',
    'cloud-credential-process': 'Credentials',
    'code-host-token': 'Access token',
  },
  profile: 'Profile name',
  profileText: (cli: string): string => `The name of a profile of ${cli} where runs execute. Only the name is stored.`,
  profileRequired: 'Enter the name of a profile.',
  bundle: 'Credentials as JSON',
  bundleText:
    'What a credential process prints: Version, AccessKeyId, SecretAccessKey, and SessionToken and Expiration when it has them. They are encrypted before they are stored.',
  bundleInvalid: 'This is not the JSON that a credential process prints.',
  token: 'Access token',
  tokenText: 'It is encrypted before it is stored and never shown again.',
  tokenRequired: 'Enter the token.',
  host: 'Host (optional)',
  hostText: 'Only for a server of your own, for example git.example.org.',
  submit: 'Import',
  done: (app: string): string => `${app} was imported.`,
} as const;
