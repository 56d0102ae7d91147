import { Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Thread } from '../../../../src/contract/threads.ts';
import { threadQuery } from '../queries.ts';
import { api, client } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { common } from '../../../kit/strings.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import { threadStrings as strings } from '../strings.ts';

export function RenameThread({ thread, onClose }: { thread: Thread; onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { title: thread.title },
    validate: { title: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ title }) => client.threads.update({ thread: thread.id, title }),
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: api.threads.key() });
      toastDone(strings.renamed);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.renameTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            label={strings.name}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('title')}
          />
          <FormFoot problem={problem} pending={pending} submit={strings.save} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function DeleteThread({
  thread,
  isOpen,
  onClose,
}: {
  thread: Thread;
  isOpen: boolean;
  onClose: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={strings.deleteTitle(thread.title)}
      text={strings.deleteText}
      confirm={strings.delete}
      act={() => client.threads.remove({ thread: thread.id })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        if (isOpen) await navigate({ to: '/chat', replace: true });
        queryClient.removeQueries({ queryKey: threadQuery(thread.id).queryKey });
        await queryClient.invalidateQueries({ queryKey: api.threads.list.key() });
      }}
    />
  );
}

export function DeleteThreads({
  threads,
  hasOpen,
  onClose,
  onDone,
}: {
  threads: readonly string[];
  /** Whether the open chat is one of them. */
  hasOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { organization } = useSignedIn();
  return (
    <ConfirmDialog
      title={strings.deleteManyTitle(threads.length)}
      text={strings.deleteManyText}
      confirm={strings.delete}
      act={() => client.threads.removeMany({ organization: organization.id, threads: [...threads] })}
      onClose={onClose}
      onDone={async () => {
        onDone();
        toastDone(strings.deletedMany(threads.length));
        if (hasOpen) await navigate({ to: '/chat', replace: true });
        for (const id of threads) queryClient.removeQueries({ queryKey: threadQuery(id).queryKey });
        await queryClient.invalidateQueries({ queryKey: api.threads.key() });
      }}
    />
  );
}
