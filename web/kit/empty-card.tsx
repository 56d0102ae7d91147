import { Card, Text } from '@mantine/core';
import type { ReactElement } from 'react';

/** Replaces an empty list or chart. */
export function EmptyCard({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <Card>
      <Text fw={550}>{title}</Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Card>
  );
}
