import { Group, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { CopyAction } from './copy-field.tsx';

/** Some lines to take elsewhere, with the place they belong to and a button that copies them. */
export function CodeBlock({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {title}
        </Text>
        <CopyAction value={text} size="xs" />
      </Group>
      <pre className="sample code-block">{text}</pre>
    </div>
  );
}
