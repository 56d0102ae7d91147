import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { readFault } from '../api/fault.ts';
import { common } from './strings.ts';
import { Dialog } from './dialog.tsx';
import { FormProblem } from './form-problem.tsx';

interface ConfirmDialogProps<T> {
  title: string;
  text: string;
  confirm: string;
  /** A word to type first, for destructive actions. */
  typed?: { label: string; value: string };
  act: () => Promise<T>;
  onDone: (result: T) => void | Promise<void>;
  onClose: () => void;
}

/** Confirms a removal; stays open with the error if the server refuses. */
export function ConfirmDialog<T>({
  title,
  text,
  confirm,
  typed,
  act,
  onDone,
  onClose,
}: ConfirmDialogProps<T>): ReactElement {
  const [word, setWord] = useState('');
  const mutation = useMutation({ mutationFn: act, onSuccess: (result) => onDone(result) });
  const ready = typed === undefined || word.trim() === typed.value;
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !mutation.isPending) mutation.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{text}</Text>
          {typed !== undefined && (
            <TextInput
              data-autofocus
              label={typed.label}
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          <FormProblem text={mutation.error === null ? undefined : readFault(mutation.error).text} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!ready} loading={mutation.isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
