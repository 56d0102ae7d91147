import { Alert } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { notConfiguredTexts } from './strings.ts';
import { isLocalHost } from './is-local-host.ts';

/** The same condition means something else to who runs the app and to who only uses it. */
export function notConfiguredText(): string {
  return notConfiguredTexts[isLocalHost(location.hostname) ? 'local' : 'hosted'];
}

export function NotConfigured(): ReactElement {
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} role="note">
      {notConfiguredText()}
    </Alert>
  );
}
