import { inLanguage } from '../../../language/language.ts';

export const clientStrings = inLanguage('clientStrings', {
  title: 'Set up a client',
  text: (workspace: string): string =>
    `Copy the configuration into your client. It can then use the apps of ${workspace} on your behalf.`,
  client: 'Client',
  sign: 'How it signs in',
  signs: { oauth: 'In the browser', token: 'With a token' },
  signTexts: {
    oauth: 'The client opens this app and asks for your approval. Its configuration contains no secrets.',
    token:
      'Replace YOUR_TOKEN with your token, the one for models if it has the scopes connect:read and connect:write. It acts on your behalf, so keep the file private.',
    asked: 'The client asks you for a token and stores it. The token acts on your behalf.',
  },
  noOauth: 'This client needs a token.',
  newToken: 'New token',
  allTokens: 'Your tokens',
  search: 'Tool search',
  searchText:
    'Adds ?tools=search to the address. Instead of every tool, the client sees three that find, describe and call the others, which saves context when many apps are connected.',
  address: 'Address',
  copyOf: (title: string): string => `Copy ${title}`,
  terminal: 'In a terminal',
  afterwards: 'Then',
  body: 'In the file',
  variable: 'Environment of the client',
  notes: {
    'claude-code': {
      oauth: 'Inside Claude Code, /mcp shows the server and signs you in.',
      token: 'Inside Claude Code, /mcp shows the server.',
    },
    'claude-desktop': 'Claude Desktop starts a program that connects to this address. Restart it after the change.',
    servicectl: 'For clients that start a program. After servicectl login, the two variables are not needed.',
    cursor: 'To limit it to one project, use the project’s .cursor/mcp.json.',
    'vs-code': {
      oauth: 'VS Code opens the browser when it starts the server. The file can be shared.',
      token: 'VS Code asks for the token once and stores it, so the file can be shared.',
    },
    codex: {
      oauth: 'The last command opens the browser.',
      token: 'Codex reads the token from an environment variable, the same as for models.',
    },
    inspector: 'The Inspector lists every tool and lets you call it.',
    generic: 'Most clients that support Streamable HTTP accept this format.',
  },
});

export const grantStrings = inLanguage('grantStrings', {
  title: 'Approved clients',
  text: 'Clients that signed in through the browser. Each acts on your behalf until you end its access.',
  empty: 'No approved clients yet',
  emptyText: 'Clients that sign in through the browser appear here after you approve them.',
  reachAll: 'All your workspaces in the organization',
  otherOrganization: 'Another organization',
  approved: 'Approved',
  used: 'last used',
  revoke: 'End access',
  revokeTitle: (name: string): string => `End access for “${name}”?`,
  revokeText: 'Its tokens stop working immediately. It can ask for access again.',
  revoked: (name: string): string => `“${name}” no longer has access.`,
});
