// What the connection does and what just happened, above the page and part of its layout.
import { onlineManager } from '@tanstack/react-query';
import { type ReactElement, useSyncExternalStore } from 'react';
import { Icon } from '../kit/look/icons.tsx';
import { NewVersionNotice } from '../installed/new-version-notice.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { isReconnecting, subscribeReconnecting } from './connection.ts';
import { shell } from './strings.ts';

/** `toasts` unless the navigation shows them. */
export function Notices({ toasts }: { toasts: boolean }): ReactElement {
  return (
    <div className="notices">
      <ConnectionNotice />
      <NewVersionNotice />
      {toasts && <Toasts place="top" />}
    </div>
  );
}

/** The live region is always mounted; its text depends on the connection. */
function ConnectionNotice(): ReactElement {
  const online = useSyncExternalStore(subscribeOnline, isOnline, isOnline);
  const reconnecting = useSyncExternalStore(subscribeReconnecting, isReconnecting, () => false);
  const text = online ? (reconnecting ? shell.reconnecting : undefined) : shell.offline;
  return (
    <output>
      {text !== undefined && (
        <span className="connection-notice">
          <Icon name="offline" size={16} />
          {text}
        </span>
      )}
    </output>
  );
}

function subscribeOnline(listener: () => void): () => void {
  return onlineManager.subscribe(listener);
}

function isOnline(): boolean {
  return onlineManager.isOnline();
}
