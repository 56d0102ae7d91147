import './follow-up.css';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatDate } from '../../../language/format.ts';
import { isEnded, type RunView } from '../queries.ts';
import { addToFollowUp } from './drafts.ts';
import { followUpStrings as strings } from './strings.ts';

/** What was said to a run and what it has not read; one that has ended never will. */
export function WaitingMessages({ run }: { run: RunView }): ReactElement | null {
  const { messages = [] } = run;
  if (messages.length === 0) return null;
  const over = isEnded(run);
  return (
    <ol className="run-messages" aria-label={strings.waiting}>
      {messages.map(({ id, text, at }) => (
        <li key={id} className="run-message" data-waits={!over || undefined}>
          <p className="run-said" dir="auto">
            {text}
          </p>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {over ? strings.neverRead : strings.notRead}
              <VisuallyHidden component="span">, </VisuallyHidden>
            </Text>
            <Text component="time" size="xs" c="dimmed" dateTime={at}>
              {formatDate(at, 'clock')}
            </Text>
            {over && (
              <Button variant="subtle" color="gray" size="compact-xs" onClick={() => addToFollowUp(run.id, text)}>
                {strings.again}
              </Button>
            )}
          </Group>
        </li>
      ))}
    </ol>
  );
}
