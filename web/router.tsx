import type { QueryClient } from '@tanstack/react-query';
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { accessRoutes, publicRoutes } from './routes/access-routes.ts';
import { appRoutes } from './routes/app-routes.ts';
import { app, root, settings, signed } from './routes/frames.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { moveFocusOnNavigation } from './shell/move-focus.ts';
import { CrashedPage, NotFoundPage, PendingPage } from './shell/status-pages.tsx';

const routeTree = root.addChildren([
  ...publicRoutes,
  signed.addChildren([...accessRoutes, app.addChildren([...appRoutes, settings.addChildren([...settingsRoutes])])]),
]);

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router must not cache as well.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 400,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: CrashedPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Values stay text: a code such as 12E45678 is not a number.
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
