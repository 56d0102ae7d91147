import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { common } from './strings.ts';

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
}

/** The page title and heading, which gets the focus after navigation. */
export function PageHeader({ title, description, above, actions }: PageHeaderProps): ReactElement {
  return (
    <Stack gap={6} mb="lg">
      <title>{common.pageTitle(title)}</title>
      {above}
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={1} dir="auto" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions}
      </Group>
      {description !== undefined && (
        <Text dir="auto" c="dimmed" maw="44rem">
          {description}
        </Text>
      )}
    </Stack>
  );
}
