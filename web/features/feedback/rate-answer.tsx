// Thumbs under an answer. A press is stored at once; then a reason can be added, and the text of the chat included.
import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { GivenFeedback, Rating } from '../../../src/contract/feedback/feedback.ts';
import { FEEDBACK_LIMITS } from '../../../src/contract/feedback/feedback-limits.ts';
import type { Message } from '../../../src/contract/threads.ts';
import { api, client } from '../../api/client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { rateStrings as strings } from './strings.ts';

const RATINGS = [
  ['up', 'thumbUp'],
  ['down', 'thumbDown'],
] as const;

interface RateAnswerProps {
  thread: string;
  message: Message;
}

export function RateAnswer({ thread, message }: RateAnswerProps): ReactElement {
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Rating>();
  const given = message.feedback;
  const { mutate, isPending } = useMutation({
    mutationFn: async (wanted: GivenFeedback | undefined) => {
      const target = { thread, message: message.id };
      await (wanted ? client.feedback.give({ ...target, ...wanted }) : client.feedback.withdraw(target));
    },
    onError: toastFault,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...api.threads.show.key(), thread] }),
  });
  const press = (rating: Rating): void => {
    if (given?.rating !== rating) mutate({ reason: '', include: false, ...given, rating });
    setOpened(rating);
  };
  const end = (wanted: GivenFeedback | undefined): void =>
    mutate(wanted, {
      onSuccess: () => {
        setOpened(undefined);
        toastDone(wanted ? strings.saved : strings.withdrawn);
      },
    });
  return (
    <>
      {RATINGS.map(([rating, icon]) => (
        <Popover
          key={rating}
          opened={opened === rating}
          onChange={(open) => setOpened(open ? rating : undefined)}
          position="top-start"
          width={320}
          shadow="md"
          trapFocus
          returnFocus
        >
          <Popover.Target>
            <ActionIcon
              variant={given?.rating === rating ? 'light' : 'subtle'}
              color={given?.rating === rating ? 'pine' : 'gray'}
              size="sm"
              aria-label={strings[rating]}
              aria-pressed={given?.rating === rating}
              onClick={() => press(rating)}
            >
              <Icon name={icon} size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <RateForm given={{ reason: '', include: false, ...given, rating }} pending={isPending} onEnd={end} />
          </Popover.Dropdown>
        </Popover>
      ))}
    </>
  );
}

interface RateFormProps {
  given: GivenFeedback;
  pending: boolean;
  onEnd: (wanted: GivenFeedback | undefined) => void;
}

function RateForm({ given, pending, onEnd }: RateFormProps): ReactElement {
  const [reason, setReason] = useState(given.reason);
  const [include, setInclude] = useState(given.include);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onEnd({ rating: given.rating, reason, include });
      }}
    >
      <Stack gap="sm">
        <Textarea
          data-autofocus
          label={strings.reason}
          maxLength={FEEDBACK_LIMITS.reason}
          autosize
          minRows={2}
          maxRows={6}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Checkbox
          label={strings.include}
          description={strings.includeHint}
          checked={include}
          onChange={(event) => setInclude(event.currentTarget.checked)}
        />
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" color="gray" size="xs" disabled={pending} onClick={() => onEnd(undefined)}>
            {strings.withdraw}
          </Button>
          <Button type="submit" size="xs" loading={pending}>
            {strings.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
