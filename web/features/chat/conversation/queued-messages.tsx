import { Button, Group, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { takeBack } from '../composer/drafts.ts';
import { type Queued, removeQueued, takeNext, useQueue } from './queue.ts';
import { queueStrings as strings } from '../strings.ts';
import type { Question } from '../answer/turns.ts';
import { Question as ShowQuestion } from './user-message.tsx';

interface QueuedMessagesProps {
  /** The key of its draft. */
  chat: string;
  /** Whether an answer is running, after which they are sent. */
  running: boolean;
  /** Whether a message can be sent now. */
  free: boolean;
  onSend: (question: Question) => void;
  onEdit: () => void;
}

/** The messages that wait, below everything else in the conversation. */
export function QueuedMessages({ chat, running, free, onSend, onEdit }: QueuedMessagesProps): ReactElement | null {
  const { items, held } = useQueue(chat);
  if (items.length === 0) return null;
  const why = running ? undefined : strings.held[held ?? 'waiting'];
  return (
    <>
      {items.map((item, index) => (
        <li key={item.key} className="message" data-role="queued" aria-label={strings.label}>
          <ShowQuestion
            parts={item.question.attachments.map((data) => ({ type: 'data-attachment', data: { ...data } }))}
            text={item.question.text}
          />
          <Group gap={4} className="message-actions" justify="flex-end">
            <Text size="xs" c="dimmed" role={index === 0 ? 'status' : undefined}>
              {index === 0 && why !== undefined ? why : strings.queued}
            </Text>
            {index === 0 && why !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                disabled={!free}
                onClick={() => {
                  const question = takeNext(chat);
                  if (question) onSend(question);
                }}
              >
                {strings.sendNow}
              </Button>
            )}
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={() => {
                takeToPrompt(chat, item);
                onEdit();
              }}
            >
              {strings.edit}
            </Button>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => removeQueued(chat, item.key)}>
              {strings.remove}
            </Button>
          </Group>
        </li>
      ))}
    </>
  );
}

function takeToPrompt(chat: string, { key, question }: Queued): void {
  removeQueued(chat, key);
  takeBack(chat, question);
}
