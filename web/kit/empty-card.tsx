import { Card, Text } from '@mantine/core';
import type { ReactElement } from 'react';

/** In the place of a list or a chart that has nothing to show. */
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
