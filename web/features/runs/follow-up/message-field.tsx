// The field for a message to a run, on its page and under its card in a chat.
import './follow-up.css';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { readFault } from '../../../api/fault.ts';
import { FormProblem } from '../../../kit/form-problem.tsx';
import { isSendKey } from '../../../kit/keys/is-send-key.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import { type RunView, runKeys } from '../queries.ts';
import { followUpDrafts } from './drafts.ts';
import { explainMessage } from './explain-message.ts';
import { type Message, sayToRun } from './say-to-run.ts';
import { followUpStrings as strings } from './strings.ts';

const LONGEST = 100_000;
const MOST_ROWS = 10;

interface MessageFieldProps {
  run: RunView;
  /** Whether the person has just opened it. */
  focus?: boolean;
  /** With the run that goes on, if the message started one. */
  onSent?: (started: RunView | undefined) => void;
}

export function MessageField({ run, focus = false, onSent }: MessageFieldProps): ReactElement {
  const { user, organization } = useSignedIn();
  const queryClient = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [what, keys] = [useId(), useId()];
  const text = followUpDrafts.use(run.id);
  const [news, setNews] = useState('');
  // Sent, and not known to have arrived: the same text again is the same message.
  const unsure = useRef<Message>(undefined);
  const { allowed, text: explained } = explainMessage(run, user.id);
  const sending = useMutation({
    mutationFn: (said: string) => {
      if (unsure.current?.text !== said) unsure.current = { text: said, idempotencyKey: randomId('say-') };
      return sayToRun(organization.id, run.id, unsure.current);
    },
    async onSuccess(started) {
      unsure.current = undefined;
      followUpDrafts.set(run.id, '');
      setNews(started === undefined ? strings.sent : strings.started);
      void queryClient.invalidateQueries({ queryKey: runKeys.lists });
      await queryClient.invalidateQueries({ queryKey: runKeys.one(run.id) });
      onSent?.(started);
    },
    // It may have ended, or begun to take no more.
    onError: () => queryClient.invalidateQueries({ queryKey: runKeys.one(run.id) }),
  });
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  const ready = allowed && !sending.isPending && text.trim() !== '';
  return (
    <form
      className="follow-up"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) sending.mutate(text.trim());
      }}
    >
      <textarea
        ref={field}
        className="follow-up-field"
        dir="auto"
        aria-label={strings.label}
        aria-describedby={`${what} ${keys}`}
        value={text}
        rows={Math.min(MOST_ROWS, text.slice(0, 4_000).split('\n').length + 1)}
        maxLength={LONGEST}
        disabled={!allowed}
        readOnly={sending.isPending}
        onChange={(event) => {
          setNews('');
          followUpDrafts.set(run.id, event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <Text id={what} size="xs" c="dimmed">
          {explained}
        </Text>
        <Button type="submit" size="xs" disabled={!ready} loading={sending.isPending}>
          {strings.send}
        </Button>
      </Group>
      <VisuallyHidden id={keys}>{strings.hint}</VisuallyHidden>
      <VisuallyHidden component="output">{news}</VisuallyHidden>
      <FormProblem text={sending.error === null ? undefined : readFault(sending.error).text} />
    </form>
  );
}
