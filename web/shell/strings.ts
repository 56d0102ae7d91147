import { inLanguage } from '../language/language.ts';
import { german } from './strings.de.ts';

const shellEnglish = {
  skipToContent: 'Skip to content',
  navigation: 'Main navigation',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  organization: 'Organization',
  workspace: 'Workspace',
  switchOrganization: 'Organization:',
  switchWorkspace: 'Workspace:',
  newOrganization: 'New organization',
  leaveOrganization: 'Leave organization',
  allWorkspaces: 'All workspaces',
  account: 'Account:',
  appearance: 'Appearance',
  schemes: { light: 'Light', dark: 'Dark', auto: 'System' },
  shortcuts: 'Keyboard shortcuts',
  /** The key, as printed on the keyboard. */
  control: 'Ctrl',
  search: 'Search and go to…',
  searchEmpty: 'Nothing matches.',
  searchLabel: 'Command palette',
  searching: 'Searching…',
  groups: {
    actions: 'Start',
    go: 'Go to',
    workspaces: 'Workspaces',
    organizations: 'Organizations',
    other: 'Other',
    chats: 'Chats',
    projects: 'Projects',
    messages: 'Messages',
    runs: 'Recent runs',
    apps: 'Apps',
  },
  nav: {
    chat: 'Chat',
    projects: 'Projects',
    prompts: 'Prompts',
    runs: 'Runs',
    integrations: 'Integrations',
    receipts: 'Receipts',
    workspaces: 'Workspaces',
    gateway: 'MCP Gateway',
    usage: 'My usage',
    settings: 'Organization settings',
  },
  demo: 'Demo models',
  demoText: 'Demo models answer in place of real ones, because this deployment has no provider key.',
  reconnecting: 'Reconnecting to the server. What you see may be out of date.',
  offline: 'You are offline. This page may be out of date, and changes are not sent.',
  help: {
    palette: 'Open the command palette',
    help: 'Show this help',
    prompt: 'Write a message, on the chat page',
    stop: 'Stop the answer that is being written',
    chat: 'Go to chat',
    runs: 'Go to runs',
    receipts: 'Go to receipts',
    integrations: 'Go to integrations',
    workspaces: 'Go to workspaces',
    gateway: 'Go to the workspace’s MCP Gateway',
    members: 'Go to organization members',
    between: 'then',
  },
  notFound: {
    title: 'Page not found',
    text: 'This page does not exist or has moved.',
    action: 'Go to chat',
  },
  crashed: {
    title: 'Something went wrong',
    text: 'This page stopped working. Your data on the server is not affected.',
    action: 'Reload the page',
  },
  unknownOrganization: {
    title: 'Organization not found',
    text: (name: string): string =>
      `You are not in an organization named “${name}”. It may have been renamed, or you may have been removed from it.`,
    action: (name: string): string => `Go to ${name}`,
  },
  serverDown: { title: 'The server did not answer' },
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  shell: shellEnglish,
};

export const { shell } = inLanguage(english, german);
