import { Card, Skeleton, Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import { Loading } from './loading.tsx';

export function CardSkeleton(): ReactElement {
  return (
    <Loading>
      <Card>
        <Stack gap="sm">
          <Skeleton height={14} width="32%" />
          <Skeleton height={10} width="64%" />
          <Skeleton height={34} mt="xs" />
        </Stack>
      </Card>
    </Loading>
  );
}
