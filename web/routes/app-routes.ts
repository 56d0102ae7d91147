// Pages within an organization, without its settings.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NowherePage } from '../shell/status-pages.tsx';
import { app } from './frames.ts';
import { optional, text } from './search-text.ts';

/**
 * One page for both addresses: the children only define the paths. `message` is the one to show, `project` the one that
 * a new chat begins in.
 */
const chat = createRoute({
  getParentRoute: () => app,
  path: '/chat',
  validateSearch: (search) => optional({ message: text(search.message), project: text(search.project) }),
  component: lazyRouteComponent(() => import('../features/chat/chat-page.tsx'), 'ChatPage'),
});

const newChat = createRoute({ getParentRoute: () => chat, path: '/' });

const chatThread = createRoute({
  getParentRoute: () => chat,
  path: '/$thread',
  loader: async () => (await import('../features/chat/conversation/use-message-list.ts')).useMessageList.load(),
});

const projects = createRoute({
  getParentRoute: () => app,
  path: '/projects',
  component: lazyRouteComponent(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$project',
  component: lazyRouteComponent(() => import('../features/projects/project-page.tsx'), 'ProjectPage'),
});

const imports = createRoute({
  getParentRoute: () => app,
  path: '/imports',
  component: lazyRouteComponent(() => import('../features/imports/imports-page.tsx'), 'ImportsPage'),
});

const oneImport = createRoute({
  getParentRoute: () => app,
  path: '/imports/$import',
  component: lazyRouteComponent(() => import('../features/imports/import-page.tsx'), 'ImportPage'),
});

const shared = createRoute({
  getParentRoute: () => app,
  path: '/shared/$share',
  component: lazyRouteComponent(() => import('../features/chat/shared-page.tsx'), 'SharedPage'),
});

const prompts = createRoute({
  getParentRoute: () => app,
  path: '/prompts',
  component: lazyRouteComponent(() => import('../features/prompts/prompts-page.tsx'), 'PromptsPage'),
});

const subscriptions = createRoute({
  getParentRoute: () => app,
  path: '/subscriptions',
  component: lazyRouteComponent(() => import('../features/subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage'),
});

const runs = createRoute({
  getParentRoute: () => app,
  path: '/runs',
  validateSearch: (search) =>
    optional({ status: text(search.status), kind: text(search.kind), in: text(search.in), start: text(search.start) }),
  component: lazyRouteComponent(() => import('../features/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => app,
  path: '/runs/$run',
  component: lazyRouteComponent(() => import('../features/runs/run-page.tsx'), 'RunPage'),
});

const compareRuns = createRoute({
  getParentRoute: () => app,
  path: '/runs/compare',
  validateSearch: (search) => optional({ left: text(search.left), right: text(search.right) }),
  component: lazyRouteComponent(() => import('../features/runs/compare-page.tsx'), 'ComparePage'),
});

const recipes = createRoute({
  getParentRoute: () => app,
  path: '/recipes',
  component: lazyRouteComponent(() => import('../features/runs/recipes/recipes-page.tsx'), 'RecipesPage'),
});
const schedules = createRoute({
  getParentRoute: () => app,
  path: '/runs/schedules',
  validateSearch: (search) => optional({ create: text(search.create) }),
  component: lazyRouteComponent(() => import('../features/schedules/schedules-page.tsx'), 'SchedulesPage'),
});

const schedule = createRoute({
  getParentRoute: () => app,
  path: '/runs/schedules/$schedule',
  component: lazyRouteComponent(() => import('../features/schedules/schedule-page.tsx'), 'SchedulePage'),
});

const environments = createRoute({
  getParentRoute: () => app,
  path: '/runs/environments',
  component: lazyRouteComponent(
    () => import('../features/runs/environments/environments-page.tsx'),
    'EnvironmentsPage',
  ),
});

const triggers = createRoute({
  getParentRoute: () => app,
  path: '/runs/triggers',
  validateSearch: (search) => optional({ create: text(search.create) }),
  component: lazyRouteComponent(() => import('../features/triggers/triggers-page.tsx'), 'TriggersPage'),
});

const trigger = createRoute({
  getParentRoute: () => app,
  path: '/runs/triggers/$trigger',
  component: lazyRouteComponent(() => import('../features/triggers/trigger-page.tsx'), 'TriggerPage'),
});

const receipts = createRoute({
  getParentRoute: () => app,
  path: '/receipts',
  validateSearch: (search) =>
    optional({
      person: text(search.person),
      app: text(search.app),
      tool: text(search.tool),
      kind: text(search.kind),
      in: text(search.in),
      since: text(search.since),
      until: text(search.until),
    }),
  component: lazyRouteComponent(() => import('../features/receipts/receipts-page.tsx'), 'ReceiptsPage'),
});

const receiptStream = createRoute({
  getParentRoute: () => app,
  path: '/receipts/$stream',
  validateSearch: (search) => optional({ at: text(search.at) }),
  component: lazyRouteComponent(() => import('../features/receipts/receipt-stream-page.tsx'), 'ReceiptStreamPage'),
});

const integrations = createRoute({
  getParentRoute: () => app,
  path: '/integrations',
  validateSearch: (search) => optional({ q: text(search.q), category: text(search.category), show: text(search.show) }),
  component: lazyRouteComponent(() => import('../features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
});

const workspaces = createRoute({
  getParentRoute: () => app,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('../features/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
});

/** The workspace in the path becomes the current one of the tab. */
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
  component: lazyRouteComponent(() => import('../features/workspaces/workspace-page.tsx'), 'WorkspacePage'),
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
  component: lazyRouteComponent(() => import('../features/mcp-gateway/mcp-gateway-page.tsx'), 'McpGatewayPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/account-page.tsx'), 'AccountPage'),
});

const usage = createRoute({
  getParentRoute: () => app,
  path: '/usage',
  component: lazyRouteComponent(() => import('../features/plan/my-usage-page.tsx'), 'MyUsagePage'),
});

/** An unknown address, shown inside the app with its navigation. */
const nowhere = createRoute({
  getParentRoute: () => app,
  path: '$',
  component: NowherePage,
});

export const appRoutes = [
  chat.addChildren([newChat, chatThread]),
  projects,
  project,
  imports,
  oneImport,
  shared,
  prompts,
  runs,
  run,
  compareRuns,
  recipes,
  environments,
  schedules,
  schedule,
  triggers,
  trigger,
  receipts,
  receiptStream,
  subscriptions,
  integrations,
  workspaces,
  workspaceArea.addChildren([workspace, gateway]),
  account,
  usage,
  nowhere,
] as const;
