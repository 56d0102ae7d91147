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
  // `error`: why a sign-in through the provider failed; `password`: the form even where it is not offered; `out`: the person
  // has just signed out and is still signed in at the provider.
  validateSearch: (search) =>
    optional({
      next: text(search.next),
      error: text(search.error),
      password: text(search.password),
      out: text(search.out),
    }),
  component: lazyRouteComponent(() => import('../features/access/sign-in-page.tsx'), 'SignInPage'),
});

const signUpPage = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search) => optional({ next: text(search.next) }),
  component: lazyRouteComponent(() => import('../features/access/sign-up-page.tsx'), 'SignUpPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../features/access/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../features/access/reset-password-page.tsx'), 'ResetPasswordPage'),
});

/** For somebody who came from the provider, signed in or not. */
const connectAccount = createRoute({
  getParentRoute: () => root,
  path: '/connect-account',
  component: lazyRouteComponent(() => import('../features/access/connect-account-page.tsx'), 'ConnectAccountPage'),
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

const proveAddress = createRoute({
  getParentRoute: () => signed,
  path: '/prove-address',
  component: lazyRouteComponent(() => import('../features/access/prove-address-page.tsx'), 'ProveAddressPage'),
});

export const publicRoutes = [
  index,
  signInPage,
  signUpPage,
  forgotPassword,
  resetPassword,
  connectAccount,
  apiReference,
] as const;
export const accessRoutes = [newOrganization, invitation, device, consent, proveAddress] as const;
