import { onlineManager } from '@tanstack/react-query';
import { type ReactElement, useSyncExternalStore } from 'react';
import { Icon } from '../kit/look/icons.tsx';
import { shell } from './strings.ts';

/** The live region is always there; the words come and go with the network. */
export function OfflineBanner(): ReactElement {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
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
