import { Skeleton, Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { common } from './strings.ts';

/** A skeleton that is announced as loading. */
export function Loading({ children }: { children?: ReactNode }): ReactElement {
  return (
    <output aria-label={common.loading} style={{ display: 'block' }}>
      {children ?? (
        <Stack gap="xs">
          <Skeleton height={12} />
          <Skeleton height={12} width="60%" />
        </Stack>
      )}
    </output>
  );
}
