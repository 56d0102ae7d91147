// Every page and what must hold before it opens: nothing, a signed-in person, or a person within an organization.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  retainSearchParams,
  stringifySearchWith,
} from '@tanstack/react-router';
import { isUnauthenticated } from './api/fault.ts';
import { meQuery } from './session/queries.ts';
import { preferredOrganization } from './session/preferred-organization.ts';
import { RootLayout } from './shell/root-layout.tsx';
import { moveFocusOnNavigation } from './shell/move-focus.ts';
import { CrashedPage, NotFoundPage, NowherePage, PendingPage } from './shell/status-pages.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
});

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chat', replace: true });
  },
});

const signInPage = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search) => optional({ next: text(search.next) }),
  component: lazyRouteComponent(() => import('./features/access/sign-in-page.tsx'), 'SignInPage'),
});

const signUpPage = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search) => optional({ next: text(search.next) }),
  component: lazyRouteComponent(() => import('./features/access/sign-up-page.tsx'), 'SignUpPage'),
});

/** For programs' authors, signed in or not. */
const apiReference = createRoute({
  getParentRoute: () => root,
  path: '/docs/api',
  component: lazyRouteComponent(() => import('./features/reference/api-reference-page.tsx'), 'ApiReferencePage'),
});

const signed = createRoute({
  getParentRoute: () => root,
  id: 'signed',
  beforeLoad: async ({ context, location }) => {
    try {
      return { me: await context.queryClient.ensureQueryData(meQuery) };
    } catch (error) {
      if (isUnauthenticated(error)) throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
      throw error;
    }
  },
  component: lazyRouteComponent(() => import('./shell/signed-layout.tsx'), 'SignedLayout'),
});

const newOrganization = createRoute({
  getParentRoute: () => signed,
  path: '/organizations/new',
  component: lazyRouteComponent(() => import('./features/access/new-organization-page.tsx'), 'NewOrganizationPage'),
});

const invitation = createRoute({
  getParentRoute: () => signed,
  path: '/invitations/$invitation',
  component: lazyRouteComponent(() => import('./features/access/invitation-page.tsx'), 'InvitationPage'),
});

const device = createRoute({
  getParentRoute: () => signed,
  path: '/device',
  validateSearch: (search) => optional({ user_code: text(search.user_code) }),
  component: lazyRouteComponent(() => import('./features/access/device-page.tsx'), 'DevicePage'),
});

const consent = createRoute({
  getParentRoute: () => signed,
  path: '/consent',
  validateSearch: (search) => optional({ request: text(search.request) }),
  component: lazyRouteComponent(() => import('./features/access/consent-page.tsx'), 'ConsentPage'),
});

interface AppSearch {
  org?: string | undefined;
  workspace?: string | undefined;
}

/**
 * The organization and workspace of a tab live in its address, never in the session: two tabs may stand in two
 * organizations, a reload stays where it was, and a link leads its reader to the same place.
 */
const app = createRoute({
  getParentRoute: () => signed,
  id: 'app',
  validateSearch: (search): AppSearch => optional({ org: text(search.org), workspace: text(search.workspace) }),
  search: { middlewares: [retainSearchParams<AppSearch>(['org', 'workspace'])] },
  beforeLoad: ({ context: { me }, search, location }) => {
    const preferred = preferredOrganization(me.organizations);
    if (preferred === undefined) throw redirect({ to: '/organizations/new', replace: true });
    if (search.org === undefined)
      throw redirect({
        to: location.pathname,
        search: { ...location.search, org: preferred.slug },
        hash: location.hash,
        replace: true,
      });
  },
  component: lazyRouteComponent(() => import('./shell/app-layout.tsx'), 'AppLayout'),
});

/** One page for both addresses: the children only give the address a name. */
const chat = createRoute({
  getParentRoute: () => app,
  path: '/chat',
  component: lazyRouteComponent(() => import('./features/chat/chat-page.tsx'), 'ChatPage'),
});

const newChat = createRoute({ getParentRoute: () => chat, path: '/' });
const chatThread = createRoute({ getParentRoute: () => chat, path: '/$thread' });

const runs = createRoute({
  getParentRoute: () => app,
  path: '/runs',
  validateSearch: (search) =>
    optional({ status: text(search.status), kind: text(search.kind), in: text(search.in), start: text(search.start) }),
  component: lazyRouteComponent(() => import('./features/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => app,
  path: '/runs/$run',
  component: lazyRouteComponent(() => import('./features/runs/run-page.tsx'), 'RunPage'),
});

const receipts = createRoute({
  getParentRoute: () => app,
  path: '/receipts',
  component: lazyRouteComponent(() => import('./features/receipts/receipts-page.tsx'), 'ReceiptsPage'),
});

const receiptStream = createRoute({
  getParentRoute: () => app,
  path: '/receipts/$stream',
  validateSearch: (search) => optional({ at: text(search.at) }),
  component: lazyRouteComponent(() => import('./features/receipts/receipt-stream-page.tsx'), 'ReceiptStreamPage'),
});

const integrations = createRoute({
  getParentRoute: () => app,
  path: '/integrations',
  validateSearch: (search) => optional({ q: text(search.q), category: text(search.category), show: text(search.show) }),
  component: lazyRouteComponent(() => import('./features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
});

const workspaces = createRoute({
  getParentRoute: () => app,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./features/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
});

/** The workspace in the path is the one the tab works in from then on. */
const workspaceArea = createRoute({
  getParentRoute: () => app,
  path: '/workspaces/$slug',
  beforeLoad: ({ params, search, location }) => {
    if (search.workspace !== params.slug)
      throw redirect({
        to: location.pathname,
        search: { ...location.search, workspace: params.slug },
        hash: location.hash,
        replace: true,
      });
  },
});

const workspace = createRoute({
  getParentRoute: () => workspaceArea,
  path: '/',
  component: lazyRouteComponent(() => import('./features/workspaces/workspace-page.tsx'), 'WorkspacePage'),
});

const gateway = createRoute({
  getParentRoute: () => workspaceArea,
  path: '/mcp-gateway',
  validateSearch: (search) =>
    optional({
      tab: text(search.tab),
      connection: text(search.connection),
      tool: text(search.tool),
      client: text(search.client),
      with: text(search.with),
    }),
  component: lazyRouteComponent(() => import('./features/mcp-gateway/mcp-gateway-page.tsx'), 'McpGatewayPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('./features/account/account-page.tsx'), 'AccountPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: '/organization/settings',
  component: lazyRouteComponent(() => import('./features/settings/settings-layout.tsx'), 'SettingsLayout'),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/organization/settings/members', replace: true });
  },
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(
    () => import('./features/people/organization-members-page.tsx'),
    'OrganizationMembersPage',
  ),
});

const byok = createRoute({
  getParentRoute: () => settings,
  path: '/byok',
  component: lazyRouteComponent(() => import('./features/models-and-keys/byok-page.tsx'), 'ByokPage'),
});

const modelSettings = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  component: lazyRouteComponent(
    () => import('./features/models-and-keys/model-settings-page.tsx'),
    'ModelSettingsPage',
  ),
});

const guardrails = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails',
  component: lazyRouteComponent(() => import('./features/guardrails/guardrails-page.tsx'), 'GuardrailsPage'),
});

const newGuardrail = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails/new',
  component: lazyRouteComponent(() => import('./features/guardrails/new-guardrail-page.tsx'), 'NewGuardrailPage'),
});

const guardrail = createRoute({
  getParentRoute: () => settings,
  path: '/guardrails/$guardrail',
  validateSearch: (search) => optional({ version: text(search.version) }),
  component: lazyRouteComponent(() => import('./features/guardrails/guardrail-page.tsx'), 'GuardrailPage'),
});

const policies = createRoute({
  getParentRoute: () => settings,
  path: '/policies',
  component: lazyRouteComponent(() => import('./features/policies/policies-page.tsx'), 'PoliciesPage'),
});

const tools = createRoute({
  getParentRoute: () => settings,
  path: '/tools',
  component: lazyRouteComponent(() => import('./features/policies/tools-page.tsx'), 'ToolsPage'),
});

const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  validateSearch: (search) => optional({ days: text(search.days) }),
  component: lazyRouteComponent(() => import('./features/plan/plan-page.tsx'), 'PlanPage'),
});

/** Without an entry in the navigation: opened by its address. */
const compliance = createRoute({
  getParentRoute: () => settings,
  path: '/compliance',
  component: lazyRouteComponent(() => import('./features/policies/compliance-page.tsx'), 'CompliancePage'),
});

const domains = createRoute({
  getParentRoute: () => settings,
  path: '/domains',
  component: lazyRouteComponent(() => import('./features/settings/placeholder-pages.tsx'), 'DomainsPage'),
});

const sso = createRoute({
  getParentRoute: () => settings,
  path: '/sso',
  component: lazyRouteComponent(() => import('./features/settings/placeholder-pages.tsx'), 'SingleSignOnPage'),
});

const directory = createRoute({
  getParentRoute: () => settings,
  path: '/directory',
  component: lazyRouteComponent(() => import('./features/settings/placeholder-pages.tsx'), 'DirectoryPage'),
});

/** An address that leads nowhere, with the rail beside it to go on from. */
const nowhere = createRoute({
  getParentRoute: () => app,
  path: '$',
  component: NowherePage,
});

const routeTree = root.addChildren([
  index,
  signInPage,
  signUpPage,
  apiReference,
  signed.addChildren([
    newOrganization,
    invitation,
    device,
    consent,
    app.addChildren([
      chat.addChildren([newChat, chatThread]),
      runs,
      run,
      receipts,
      receiptStream,
      integrations,
      workspaces,
      workspaceArea.addChildren([workspace, gateway]),
      account,
      settings.addChildren([
        settingsIndex,
        members,
        byok,
        modelSettings,
        guardrails,
        newGuardrail,
        guardrail,
        policies,
        tools,
        plan,
        compliance,
        domains,
        sso,
        directory,
      ]),
      nowhere,
    ]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // Freshness is the query cache's business; the router must not keep a second opinion.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 400,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: CrashedPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Plain text both ways: a code such as 12E45678 is no number.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(JSON.stringify),
  });
  moveFocusOnNavigation(router);
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** Everything we keep in an address is text, also what looks like a number. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** `undefined` may be said outright: it takes a value out of the address that would otherwise stay. */
type Optional<T> = { [K in keyof T]?: string | undefined };

function optional<T extends Record<string, string | undefined>>(values: T): Optional<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Optional<T>;
}
