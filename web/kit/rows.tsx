// A list of rows: description on the left, actions on the right; wraps on narrow screens.
import { Box, Button, Card, Center, Group, Stack, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { common } from './strings.ts';

export function Rows({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <Card padding={0} component="ul" aria-label={label} className="rows" m={0}>
      {children}
    </Card>
  );
}

interface RowProps {
  lead?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  aside?: ReactNode;
  className?: string;
}

export function Row({ lead, title, text, aside, className }: RowProps): ReactElement {
  return (
    <Box component="li" className={`row ${className ?? ''}`}>
      <Group gap="md" wrap="nowrap" flex="1 1 13rem" miw={0}>
        {lead}
        <Stack gap={2} miw={0}>
          <Text component="div" fw={550} style={{ overflowWrap: 'break-word' }}>
            {title}
          </Text>
          {text !== undefined && (
            <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'break-word' }}>
              {text}
            </Text>
          )}
        </Stack>
      </Group>
      {aside !== undefined && (
        <Group gap="xs" flex="none" maw="100%">
          {aside}
        </Group>
      )}
    </Box>
  );
}

interface MoreRowsProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

export function MoreRows({ query }: MoreRowsProps): ReactElement | null {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        {common.loadMore}
      </Button>
    </Center>
  );
}
