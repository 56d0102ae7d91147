import type { ConnectionOnWire } from '../../../src/contract/connections.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const integrationStrings = inLanguage('integrationStrings', {
  title: 'Integrations',
  description: (workspace: string): string =>
    `Apps that people, agents and MCP clients of ${workspace} can use. The credentials of connected apps stay with the integration provider; imported ones are stored here, encrypted.`,
  list: 'Apps',
  connectedApps: 'Connected',
  popularApps: 'Popular',
  search: 'Search apps',
  category: 'Category',
  allCategories: 'All categories',
  show: 'Show',
  shows: { all: 'All apps', connected: 'Connected', attention: 'Needs attention', free: 'Not connected' },
  found: (count: number, all: number): string => (count === all ? `${all} apps` : `${count} of ${all} apps`),
  none: 'No app matches',
  noneText: 'Try another search, or clear the filters.',
  clear: 'Show all apps',
  notMember: 'You are not a member of this workspace',
  notMemberText:
    'Only members of a workspace can see its connections. Add yourself on the workspace page to see and use them.',
  openWorkspace: 'Open the workspace',
  tools: (count: number): string => plural(count, { one: '# tool', other: '# tools' }),
  withWrites: (count: number, writes: number): string =>
    `${count} tools, ${plural(writes, { one: '# write', other: '# writes' })}`,
  discoveredTools: 'Tools from its MCP server',
  canRead: (workspace: string, reads: string): string => `Members of ${workspace} can read ${reads}.`,
  noTools: 'For the command line in runs',
  toolsOf: (app: string): string => `${app} tools`,
  connect: 'Connect',
  reconnect: 'Reconnect',
  disconnect: 'Disconnect',
  import: 'Import',
  importAgain: 'Import again',
  manage: 'Actions',
  disconnectTitle: (app: string): string => `Disconnect ${app}?`,
  disconnectText: (workspace: string): string =>
    `${workspace} can no longer use it. Its credential is removed from the integration provider, and its action settings are deleted.`,
  disconnected: (app: string): string => `${app} disconnected.`,
});

/** Why nothing can be connected: `hosted` on a deployment, `local` on the reader's own machine. */
export const notConfiguredTexts = inLanguage('notConfiguredTexts', {
  hosted:
    'Integrations are temporarily unavailable because the connection service is not configured, contact the administrator.',
  local: 'Integrations are not configured for this local app, start the integrated stack.',
});

export const connectingStrings = inLanguage('connectingStrings', {
  title: (app: string): string => `Connect ${app}`,
  opening: 'Preparing the connect page…',
  waiting: 'Finish in the window that opened. This page updates when you are done.',
  blocked: 'Your browser blocked the window. Open the connect page yourself; this page updates when you are done.',
  open: 'Open the connect page',
  openAgain: 'Open it again',
  link: 'Connect link',
  linkText: 'It works only for you and expires soon.',
  state: (app: string): string => `Waiting for ${app}…`,
  expired: 'The connect link has expired.',
  refused: (app: string): string => `${app} was not connected: access was denied or failed in the connect window.`,
  closed: (app: string): string => `${app} was not connected: the connect window was closed too early.`,
  newLink: 'Create a new link',
  done: (app: string): string => `${app} is connected.`,
});

/** What is said before an app is connected. */
export const askStrings = inLanguage('askStrings', {
  title: (app: string, workspace: string): string => `Connect ${app} to ${workspace}?`,
  reads: 'What it can read',
  readsText: (reads: string): string => `With the account that you connect: ${reads}.`,
  readsUnknown: 'With the account that you connect: what the app allows on its own page.',
  writes: 'What it can change',
  writesText: (tools: string): string => `Nothing at first. An owner or admin can turn on: ${tools}.`,
  discoveredWrites: 'Nothing at first. An owner or admin can turn on what the app’s MCP server offers.',
  commandWrites: 'Whatever its credentials allow: background runs use the app’s command line.',
  noWrites: 'Nothing. Its tools are read-only.',
  who: 'Who can use it',
  everyone: (organization: string, workspace: string): string =>
    `Everyone in ${organization}, now and later, because all of them are members of ${workspace}. Their agents and MCP clients can use it too.`,
  members: (names: string, workspace: string): string =>
    `Every member of ${workspace}, with their agents and MCP clients: ${names}.`,
  you: 'You',
  more: (count: number): string => plural(count, { one: '# other person', other: '# other people' }),
  manyMore: 'many other people',
  own: (app: string): string =>
    `${app} usually holds one person’s own data. To keep it to yourself, connect it in a workspace that only you are a member of.`,
  ownNote: 'Owners and admins of the organization see that this workspace exists and can change its members.',
  connect: (workspace: string): string => `Connect to ${workspace}`,
  connectOwn: 'Connect only for me',
  ownName: (person: string): string => `${person} (personal)`,
  ownDone: (app: string, workspace: string): string =>
    `${app} is connected in “${workspace}”, where only you can use it.`,
});

export const connectionStatusNames = inLanguage('connectionStatusNames', {
  valid: 'Connected',
  expired: 'Expired',
  invalid: 'Not working',
} satisfies Record<ConnectionOnWire['status'], string>);

/** What happened to a connection; the button beside the text is the fix. */
export const statusReasons = inLanguage<Readonly<Record<string, string>>>('statusReasons', {
  provider_auth_refresh_failed: 'The authorization could not be renewed. Reconnect the app.',
  provider_connection_errors: 'The integration provider reports errors for this connection. Reconnect the app.',
  provider_refresh_exhausted:
    'The integration provider stopped renewing the authorization after repeated failures. Reconnect the app.',
  provider_connection_missing: 'The integration provider no longer has this connection. Reconnect the app.',
  workspace_membership_revoked: 'It was last authorized by someone who has left the workspace. Reconnect the app.',
  workspace_authority_required: 'It was last authorized by someone who may not replace it. Reconnect the app.',
});

export const statusTexts = inLanguage('statusTexts', {
  expired: 'The authorization has expired. Reconnect the app.',
  expiredImport: 'The imported credentials have expired. Import new ones.',
  invalid: 'This connection no longer works. Reconnect the app.',
});

export const connectionKindNames = inLanguage('connectionKindNames', {
  'integration-reference': 'Connected through the integration provider',
  'local-cloud-profile': 'Command-line cloud profile',
  'cloud-credential-process': 'Imported cloud credentials',
  'code-host-token': 'Imported access token',
} satisfies Record<ConnectionOnWire['kind'], string>);

export const categoryNames = inLanguage<Readonly<Record<string, string>>>('categoryNames', {
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
});

export const authNames = inLanguage<Readonly<Record<string, string>>>('authNames', {
  API_KEY: 'API key',
  BASIC: 'Username or key pair',
  OAUTH1: 'OAuth 1',
  OAUTH2: 'OAuth',
  OAUTH2_CC: 'OAuth client credentials',
  MCP_OAUTH2: 'OAuth through its MCP server',
});

export const importStrings = inLanguage('importStrings', {
  title: (app: string): string => `Import into ${app}`,
  shared: 'Every member of this workspace can use what you import, through background runs.',
  kind: 'What to import',
  kinds: {
    'local-cloud-profile': 'Profile',
    'cloud-credential-process': 'Credentials',
    'code-host-token': 'Access token',
  },
  profile: 'Profile name',
  profileText: (cli: string): string =>
    `The name of a ${cli} profile on the machine where runs execute. Only the name is stored.`,
  profileRequired: 'Enter a profile name.',
  bundle: 'Credentials as JSON',
  bundleText:
    'The output of a credential process: Version, AccessKeyId, SecretAccessKey, and optionally SessionToken and Expiration. Stored encrypted.',
  bundleInvalid: 'This is not the JSON output of a credential process.',
  token: 'Access token',
  tokenText: 'Stored encrypted and never shown again.',
  tokenRequired: 'Enter the token.',
  host: 'Host (optional)',
  hostText: 'Only for self-hosted servers, for example git.example.org.',
  submit: 'Import',
  done: (app: string): string => `${app} was imported.`,
});
