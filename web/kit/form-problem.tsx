import { Alert } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from './look/icons.tsx';

/** Always mounted, so that screen readers announce the text when it appears. */
export function FormProblem({ text }: { text: string | undefined }): ReactElement {
  return (
    <div role="alert">
      {text !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} role="presentation">
          {text}
        </Alert>
      )}
    </div>
  );
}
