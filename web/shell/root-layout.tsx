import { Outlet, useMatches } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Notices } from './notices.tsx';

export function RootLayout(): ReactElement {
  // The app has a place of its own for them.
  const inApp = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/signed/app') });
  return (
    <>
      {!inApp && <Notices toasts />}
      <Outlet />
    </>
  );
}
