// Layout routes and their guards: none, a signed-in person, or a member of an organization.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { isUnauthenticated } from '../api/fault.ts';
import { preferredOrganization } from '../session/preferred-organization.ts';
import { meQuery } from '../session/me-query.ts';
import { RootLayout } from '../shell/root-layout.tsx';
import { NotFoundPage } from '../shell/status-pages.tsx';
import { optional, text } from './search-text.ts';

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
});

export const signed = createRoute({
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
  component: lazyRouteComponent(() => import('../shell/signed-layout.tsx'), 'SignedLayout'),
});

interface AppSearch {
  org?: string | undefined;
  workspace?: string | undefined;
}

/**
 * The organization and workspace of a tab are in its address, not in the session: two tabs can show two organizations,
 * a reload stays in place, and a shared link opens the same page.
 */
export const app = createRoute({
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
  component: lazyRouteComponent(() => import('../shell/app-layout.tsx'), 'AppLayout'),
});

export const settings = createRoute({
  getParentRoute: () => app,
  path: '/organization/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-layout.tsx'), 'SettingsLayout'),
});
