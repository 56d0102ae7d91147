import { onlineManager } from '@tanstack/react-query';
import { type ReactElement, useSyncExternalStore } from 'react';
import { Icon } from '../kit/look/icons.tsx';
import { shell } from './strings.ts';

/** The live region is always there; the words come and go with the network. */
export function OfflineBanner(): ReactElement {
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
