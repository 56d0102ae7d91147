import { Alert } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { notConfiguredTexts } from './strings.ts';
import { isLocalHost } from './is-local-host.ts';

/** Operators and users read a different text for the same condition. */
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
