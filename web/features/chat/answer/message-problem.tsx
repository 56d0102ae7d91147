import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../../kit/look/icons.tsx';
import { MessageTime } from './message-time.tsx';
import { chatStrings as strings } from '../strings.ts';
import { explainProblem } from './explain-problem.ts';
import { ProblemLinks, useOpenPages } from './problem-links.tsx';

interface MessageProblemProps {
  code: string;
  message: string;
  /** When it failed. */
  at?: string | undefined;
  onAgain?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  /** Requests a direct answer instead of a run. */
  onAnswer?: (() => void) | undefined;
}

/** Run errors after which a direct answer is still possible. */
const ASKED_FOR_A_RUN: readonly string[] = ['capability_unusable', 'invalid_request'];

/** Why there is no answer, and what to do about it. */
export function MessageProblem({ code, message, at, onAgain, onEdit, onAnswer }: MessageProblemProps): ReactElement {
  const { text, advice, pages, app } = explainProblem(code, message, useOpenPages());
  return (
    <Alert color="red" icon={<Icon name="alert" />} mt="xs">
      <Text size="sm" fw={550}>
        {text}
      </Text>
      <Text size="sm">{advice}</Text>
      {at !== undefined && (
        <Text size="xs" c="dimmed" mt={2}>
          {strings.failedAt} <MessageTime at={at} />
        </Text>
      )}
      <ProblemLinks pages={pages} app={app} />
      {(onAgain !== undefined || onEdit !== undefined) && (
        <Group gap="xs" mt="xs">
          {onAgain !== undefined && (
            <Button size="xs" variant="default" onClick={onAgain}>
              {strings.retry}
            </Button>
          )}
          {onAnswer !== undefined && ASKED_FOR_A_RUN.includes(code) && (
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
