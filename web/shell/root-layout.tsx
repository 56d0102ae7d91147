import { Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { OfflineBanner } from './offline-banner.tsx';

export function RootLayout(): ReactElement {
  return (
    <>
      <OfflineBanner />
      <Outlet />
    </>
  );
}
