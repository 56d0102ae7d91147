import { Card, Stack, Text, Title } from '@mantine/core';
import { type ReactElement, type ReactNode, useId } from 'react';

/** A part of the account page. */
export function Section({
  title,
  text,
  children,
}: {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <Card component="section" padding="lg" aria-labelledby={id}>
      <Stack>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {text !== undefined && <Text size="sm">{text}</Text>}
        {children}
      </Stack>
    </Card>
  );
}
