import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { faultText } from '../api/fault.ts';
import { Icon } from '../look/icons.tsx';
import { chatAdvice, chatStrings as strings, KEPT } from '../strings/chat.ts';

interface MessageProblemProps {
  code: string;
  message: string;
  onAgain?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  /** Asks for a direct answer instead of a run. */
  onAnswer?: (() => void) | undefined;
}

/** Why there is no answer, and what to do about it. The message above it is kept. */
export function MessageProblem({ code, message, onAgain, onEdit, onAnswer }: MessageProblemProps): ReactElement {
  return (
    <Alert color="red" icon={<Icon name="alert" />} mt="xs">
      <Text size="sm" fw={550}>
        {faultText(code, message)}
      </Text>
      <Text size="sm">{(chatAdvice as Record<string, string>)[code.split(':')[0] ?? ''] ?? KEPT}</Text>
      {(onAgain !== undefined || onEdit !== undefined) && (
        <Group gap="xs" mt="xs">
          {onAgain !== undefined && (
            <Button size="xs" variant="default" onClick={onAgain}>
              {strings.retry}
            </Button>
          )}
          {onAnswer !== undefined && code === 'capability_unusable' && (
            <Button size="xs" variant="default" onClick={onAnswer}>
              {strings.answerWithout}
            </Button>
          )}
          {onEdit !== undefined && (
            <Button size="xs" variant="default" onClick={onEdit}>
              {strings.edit}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}
