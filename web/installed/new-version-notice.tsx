import { Button } from '@mantine/core';
import { type ReactElement, useSyncExternalStore } from 'react';
import { hasNewVersion, subscribeNewVersion } from './start-worker.ts';
import { installedStrings as strings } from './strings.ts';

/** The person decides when: what is typed into a form would be lost. */
export function NewVersionNotice(): ReactElement {
  const shown = useSyncExternalStore(subscribeNewVersion, hasNewVersion, hasNewVersion);
  return (
    <output>
      {shown && (
        <span className="connection-notice">
          {strings.newVersion}
          <Button size="compact-xs" variant="default" onClick={() => window.location.reload()}>
            {strings.reload}
          </Button>
        </span>
      )}
    </output>
  );
}
