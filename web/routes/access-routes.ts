// Pages outside the app: public ones, and those for a signed-in person without an organization.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root, signed } from './frames.ts';
import { optional, text } from './search-text.ts';

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
  component: lazyRouteComponent(() => import('../features/access/sign-in-page.tsx'), 'SignInPage'),
});

const signUpPage = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search) => optional({ next: text(search.next) }),
  component: lazyRouteComponent(() => import('../features/access/sign-up-page.tsx'), 'SignUpPage'),
});

/** For developers, signed in or not. */
const apiReference = createRoute({
  getParentRoute: () => root,
  path: '/docs/api',
  component: lazyRouteComponent(() => import('../features/reference/api-reference-page.tsx'), 'ApiReferencePage'),
});

const newOrganization = createRoute({
  getParentRoute: () => signed,
  path: '/organizations/new',
  component: lazyRouteComponent(() => import('../features/access/new-organization-page.tsx'), 'NewOrganizationPage'),
});

const invitation = createRoute({
  getParentRoute: () => signed,
  path: '/invitations/$invitation',
  component: lazyRouteComponent(() => import('../features/access/invitation-page.tsx'), 'InvitationPage'),
});

const device = createRoute({
  getParentRoute: () => signed,
  path: '/device',
  validateSearch: (search) => optional({ user_code: text(search.user_code) }),
  component: lazyRouteComponent(() => import('../features/access/device-page.tsx'), 'DevicePage'),
});

const consent = createRoute({
  getParentRoute: () => signed,
  path: '/consent',
  validateSearch: (search) => optional({ request: text(search.request) }),
  component: lazyRouteComponent(() => import('../features/access/consent-page.tsx'), 'ConsentPage'),
});

export const publicRoutes = [index, signInPage, signUpPage, apiReference] as const;
export const accessRoutes = [newOrganization, invitation, device, consent] as const;
