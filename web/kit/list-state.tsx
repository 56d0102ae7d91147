// The states of a list without items: loading, failed or empty.
import { Alert, Button, Card, EmptyState, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { readFault } from '../api/fault.ts';
import { Icon, type IconName } from './look/icons.tsx';
import { common } from './strings.ts';
import { Loading } from './loading.tsx';

export interface ListQuery {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly data: unknown;
  refetch(): unknown;
}

interface ListStateProps {
  query: ListQuery;
  isEmpty: boolean;
  empty: { icon: IconName; title: string; text: string; action?: ReactNode };
  /** What the failure is called, if it says more than that a list is missing. */
  failed?: string;
  children: ReactNode;
}

export function ListState({ query, isEmpty, empty, failed, children }: ListStateProps): ReactElement {
  if (query.data === undefined && query.error !== null)
    return <LoadFailure title={failed} error={query.error} retry={() => query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  if (!isEmpty) return <>{children}</>;
  return (
    <Card padding="xl">
      <EmptyState icon={<Icon name={empty.icon} size={28} />} title={empty.title} description={empty.text}>
        {empty.action !== undefined && <EmptyState.Actions>{empty.action}</EmptyState.Actions>}
      </EmptyState>
    </Card>
  );
}

export function LoadFailure({
  error,
  retry,
  title = common.listFailed,
}: {
  error: unknown;
  retry: () => unknown;
  title?: string | undefined;
}): ReactElement {
  return (
    <Alert color="red" role="alert" icon={<Icon name="alert" />} title={title}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{readFault(error).text}</Text>
        <Button size="xs" variant="default" onClick={() => retry()}>
          {common.tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}

function ListSkeleton(): ReactElement {
  return (
    <Loading>
      <Card padding={0}>
        {[0, 1, 2].map((row) => (
          <Group key={row} p="md" gap="md" wrap="nowrap">
            <Skeleton height={34} width={34} radius="md" />
            <Stack gap={8} flex={1}>
              <Skeleton height={10} width="32%" />
              <Skeleton height={8} width="48%" />
            </Stack>
          </Group>
        ))}
      </Card>
    </Loading>
  );
}
