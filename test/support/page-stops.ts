// The pages of the app and the heading of each, for the tests that walk through all of them.
import type { Page } from 'playwright-core';
import type { Stop } from './browser/axe.ts';

/** Presses a button that opens a dialog. */
export const opens = (button: string | RegExp, dialog: string) => async (page: Page) => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog', { name: dialog }).waitFor();
};

/** Before signing in. */
export const OUTSIDE: readonly Stop[] = [
  { path: '/sign-in', heading: 'Sign in' },
  {
    path: '/sign-up',
    heading: 'Create an account',
    act: (page) => page.getByRole('button', { name: 'Create account' }).click(),
  },
  { path: '/forgot-password', heading: 'Forgot your password?' },
  { path: '/reset-password', heading: 'Choose a new password' },
  { path: '/reset-password#secret-of-a-link', heading: 'Choose a new password' },
];

/** Of an organization with a workspace called Lab. */
export const INSIDE: Readonly<Record<string, readonly Stop[]>> = {
  'chat and receipts': [
    { path: '/chat', heading: 'New chat' },
    { path: '/chat/nowhere', heading: 'Chat not found' },
    { path: '/receipts', heading: 'Receipts' },
    { path: '/receipts/connect%2Fnowhere', heading: 'Stream not found' },
  ],
  schedules: [
    { path: '/runs/schedules', heading: 'Schedules' },
    { path: '/runs/schedules', heading: 'Schedules', open: opens('New schedule', 'New schedule') },
    { path: '/runs/schedules/nowhere', heading: 'Schedule not found' },
  ],
  workspaces: [
    { path: '/workspaces', heading: 'Workspaces' },
    { path: '/workspaces', heading: 'Workspaces', open: opens('New workspace', 'Create a workspace') },
    {
      path: '/workspaces',
      heading: 'Workspaces',
      open: (page) => page.getByRole('button', { name: /Organization:/ }).click(),
    },
    {
      path: '/workspaces',
      heading: 'Workspaces',
      open: (page) => page.getByRole('button', { name: /Account:/ }).click(),
    },
    {
      path: '/workspaces',
      heading: 'Workspaces',
      open: (page) =>
        page.keyboard.press('Control+k').then(() => page.getByRole('dialog', { name: 'Command palette' }).waitFor()),
    },
    { path: '/workspaces/default', heading: 'Default' },
    { path: '/workspaces/lab', heading: 'Lab' },
    { path: '/workspaces/lab', heading: 'Lab', open: opens('Delete workspace', 'Delete “Lab”?') },
    { path: '/workspaces/nowhere', heading: 'Workspace not found' },
  ],
  'the MCP Gateway': [
    { path: '/workspaces/lab/mcp-gateway', heading: 'MCP Gateway' },
    { path: '/workspaces/lab/mcp-gateway?tab=tokens', heading: 'MCP Gateway' },
    {
      path: '/workspaces/lab/mcp-gateway?tab=tokens',
      heading: 'MCP Gateway',
      open: opens('New token', 'Create a token'),
    },
  ],
  'organization settings': [
    { path: '/organization/settings/members', heading: 'Members' },
    { path: '/organization/settings/members', heading: 'Members', open: opens('Invite', 'Invite someone') },
    { path: '/organization/settings/domains', heading: 'Domains' },
    { path: '/organization/settings/sso', heading: 'Single Sign-On' },
    { path: '/organization/settings/directory', heading: 'Directory Provisioning' },
  ],
  'pages outside an organization': [
    { path: '/organizations/new', heading: 'Create an organization' },
    { path: '/invitations/none', heading: 'This invitation cannot be used' },
    { path: '/device', heading: 'Connect a device' },
    { path: '/consent', heading: 'No access request' },
    { path: '/nowhere', heading: 'Page not found' },
  ],
};

/** For every member. */
export const FOR_ALL: Readonly<Record<string, string>> = {
  '/chat': 'New chat',
  '/projects': 'Projects',
  '/projects/nowhere': 'Project not found',
  '/imports': 'Import chats',
  '/imports/nowhere': 'Import not found',
  '/prompts': 'Prompts',
  '/subscriptions': 'Subscriptions',
  '/runs': 'Runs',
  '/recipes': 'Recipes',
  '/runs/schedules': 'Schedules',
  '/runs/schedules/nowhere': 'Schedule not found',
  '/runs/environments': 'Environments',
  '/runs/triggers': 'Triggers',
  '/runs/triggers/nowhere': 'Trigger not found',
  '/integrations': 'Integrations',
  '/workspaces': 'Workspaces',
  '/workspaces/default': 'Default',
  '/workspaces/lab': 'Lab',
  '/workspaces/default/mcp-gateway': 'MCP Gateway',
  '/workspaces/default/mcp-gateway?tab=connections': 'MCP Gateway',
  '/workspaces/default/mcp-gateway?tab=llm-keys': 'MCP Gateway',
  '/workspaces/default/mcp-gateway?tab=clients': 'MCP Gateway',
  '/workspaces/default/mcp-gateway?tab=tokens': 'MCP Gateway',
  '/receipts': 'Receipts',
  '/account': 'Account',
};
/** Below /organization/settings, for owners and admins. */
export const SETTINGS: Readonly<Record<string, string | RegExp>> = {
  members: 'Members',
  byok: 'BYOK',
  models: /models/i,
  guardrails: 'Guardrails',
  policies: 'Policies',
  tools: 'Tools',
  plan: /plan/i,
  feedback: 'Feedback',
  domains: 'Domains',
  sso: 'Single Sign-On',
  directory: 'Directory Provisioning',
  compliance: 'Compliance',
};
