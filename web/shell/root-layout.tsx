import { Outlet } from '@tanstack/react-router';
import { type ReactElement, useSyncExternalStore } from 'react';
import { onlineManager } from '@tanstack/react-query';
import { Icon } from '../kit/look/icons.tsx';
import { shell } from './strings.ts';

export function RootLayout(): ReactElement {
  return (
    <>
      <OfflineBanner />
      <Outlet />
    </>
  );
}

/** The live region is always mounted; its text depends on the network. */
function OfflineBanner(): ReactElement {
  const online = useSyncExternalStore(subscribe, isOnline, isOnline);
  return (
    <output>
      {!online && (
        <span className="offline-banner">
          <Icon name="offline" size={16} />
          {shell.offline}
        </span>
      )}
    </output>
  );
}

function subscribe(listener: () => void): () => void {
  return onlineManager.subscribe(listener);
}

function isOnline(): boolean {
  return onlineManager.isOnline();
}
