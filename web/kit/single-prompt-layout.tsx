import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Mark } from './look/mark.tsx';
import { common } from './strings.ts';

/** A page with a single prompt: a first organization, an invitation, a device, a client. */
export function SinglePromptLayout({
  title,
  text,
  children,
  below,
}: {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
}): ReactElement {
  return (
    <main className="desk" id="content">
      <title>{common.pageTitle(title)}</title>
      <Group gap="sm">
        <Mark />
        <Text fw={650}>{common.product}</Text>
      </Group>
      <Card w="100%" maw="30rem" padding="xl">
        <Stack>
          <Title order={1} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {text !== undefined && <Text c="dimmed">{text}</Text>}
          {children}
        </Stack>
      </Card>
      {below}
    </main>
  );
}
