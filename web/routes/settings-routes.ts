// Pages of organization settings.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { settings } from './frames.ts';
import { optional, text } from './search-text.ts';

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/organization/settings/general', replace: true });
  },
});

const general = createRoute({
  getParentRoute: () => settings,
  path: '/general',
  component: lazyRouteComponent(() => import('../features/settings/general-page.tsx'), 'GeneralPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(
    () => import('../features/people/organization-members-page.tsx'),
    'OrganizationMembersPage',
  ),
});

const byok = createRoute({
  getParentRoute: () => settings,
  path: '/byok',
  component: lazyRouteComponent(() => import('../features/models-and-keys/byok-page.tsx'), 'ByokPage'),
});

const modelSettings = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  component: lazyRouteComponent(
    () => import('../features/models-and-keys/model-settings-page.tsx'),
    'ModelSettingsPage',
  ),
});

const guardrails = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails',
  component: lazyRouteComponent(() => import('../features/guardrails/guardrails-page.tsx'), 'GuardrailsPage'),
});

const newGuardrail = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails/new',
  component: lazyRouteComponent(() => import('../features/guardrails/new-guardrail-page.tsx'), 'NewGuardrailPage'),
});

const guardrail = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails/$guardrail',
  validateSearch: (search) => optional({ version: text(search.version) }),
  component: lazyRouteComponent(() => import('../features/guardrails/guardrail-page.tsx'), 'GuardrailPage'),
});

const policies = createRoute({
  getParentRoute: () => settings,
  path: '/policies',
  component: lazyRouteComponent(() => import('../features/policies/policies-page.tsx'), 'PoliciesPage'),
});

const tools = createRoute({
  getParentRoute: () => settings,
  path: '/tools',
  component: lazyRouteComponent(() => import('../features/policies/tools-page.tsx'), 'ToolsPage'),
});

const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  validateSearch: (search) => optional({ days: text(search.days) }),
  component: lazyRouteComponent(() => import('../features/plan/plan-page.tsx'), 'PlanPage'),
});

const spending = createRoute({
  getParentRoute: () => settings,
  path: '/spending',
  validateSearch: (search) =>
    optional({
      tab: text(search.tab),
      by: text(search.by),
      period: text(search.period),
      request: text(search.request),
    }),
  component: lazyRouteComponent(() => import('../features/plan/spending-page.tsx'), 'SpendingPage'),
});

const feedback = createRoute({
  getParentRoute: () => settings,
  path: '/feedback',
  validateSearch: (search) =>
    optional({
      rating: text(search.rating),
      model: text(search.model),
      project: text(search.project),
      period: text(search.period),
    }),
  component: lazyRouteComponent(() => import('../features/feedback/feedback-page.tsx'), 'FeedbackPage'),
});

/** Not in the navigation: opened by its address. */
const compliance = createRoute({
  getParentRoute: () => settings,
  path: '/compliance',
  component: lazyRouteComponent(() => import('../features/policies/compliance-page.tsx'), 'CompliancePage'),
});

const domains = createRoute({
  getParentRoute: () => settings,
  path: '/domains',
  component: lazyRouteComponent(() => import('../features/settings/placeholder-pages.tsx'), 'DomainsPage'),
});

const sso = createRoute({
  getParentRoute: () => settings,
  path: '/sso',
  component: lazyRouteComponent(() => import('../features/settings/placeholder-pages.tsx'), 'SingleSignOnPage'),
});

const directory = createRoute({
  getParentRoute: () => settings,
  path: '/directory',
  component: lazyRouteComponent(() => import('../features/settings/placeholder-pages.tsx'), 'DirectoryPage'),
});

export const settingsRoutes = [
  settingsIndex,
  general,
  members,
  byok,
  modelSettings,
  guardrails,
  newGuardrail,
  guardrail,
  policies,
  tools,
  plan,
  spending,
  feedback,
  compliance,
  domains,
  sso,
  directory,
] as const;
