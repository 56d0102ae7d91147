import { Alert } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from './look/icons.tsx';

/** A note about what a page does not do. */
export function PlainNote({ text }: { text: string }): ReactElement {
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} role="note">
      {text}
    </Alert>
  );
}
