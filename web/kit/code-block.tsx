import { Group, Text } from '@mantine/core';
import { type ReactElement, useRef } from 'react';
import { CopyAction } from './copy-field.tsx';

/** Lines to copy, with the file they belong to and a copy button. */
export function CodeBlock({ title, text }: { title: string; text: string }): ReactElement {
  const shown = useRef<HTMLPreElement>(null);
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {title}
        </Text>
        <CopyAction value={text} size="xs" source={shown} />
      </Group>
      <pre ref={shown} className="sample code-block">
        {text}
      </pre>
    </div>
  );
}
