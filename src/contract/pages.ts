// The addresses of the web app's pages; `$name` stands for one segment. The server needs them to tell a page from an
// address that does not exist, and a test of the app compares them with its router.

export const PAGES = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/connect-account',
  '/docs/api',
  '/organizations/new',
  '/invitations/$invitation',
  '/device',
  '/consent',
  '/prove-address',
  '/chat',
  '/chat/$thread',
  '/projects',
  '/projects/$project',
  '/shared/$share',
  '/prompts',
  '/runs',
  '/runs/$run',
  '/runs/compare',
  '/receipts',
  '/receipts/$stream',
  '/imports',
  '/imports/$import',
  '/integrations',
  '/workspaces',
  '/workspaces/$slug',
  '/workspaces/$slug/mcp-gateway',
  '/account',
  '/usage',
  '/organization/settings',
  '/organization/settings/general',
  '/organization/settings/members',
  '/organization/settings/byok',
  '/organization/settings/models',
  '/organization/settings/guardrails',
  '/organization/settings/guardrails/new',
  '/organization/settings/guardrails/$guardrail',
  '/organization/settings/policies',
  '/organization/settings/tools',
  '/organization/settings/plan',
  '/organization/settings/spending',
  '/organization/settings/feedback',
  '/organization/settings/compliance',
  '/organization/settings/domains',
  '/organization/settings/sso',
  '/organization/settings/directory',
] as const;

const PATTERNS = PAGES.map((page) => new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+').replace(/\/$/, '')}/?$`));

export function isPageAddress(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}
