import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { signIn } from '../api/identity.ts';
import { setSessionEnded } from '../session/session-state.ts';
import { Dialog } from '../kit/dialog.tsx';
import { FormProblem } from '../kit/form-problem.tsx';
import { toastDone } from '../kit/toasts.tsx';
import { useServerForm } from '../kit/use-server-form.ts';
import { identity } from '../features/access/identity-strings.ts';

/** Opens over the page, which stays as it is; signing in again closes it. */
export function SessionEndedDialog({ email }: { email: string }): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? identity.passwordRequired : null) },
    send: ({ password }) => signIn({ email, password }),
    onDone: () => {
      setSessionEnded(false);
      toastDone(identity.ended.back);
      void queryClient.invalidateQueries();
    },
  });
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={identity.ended.title}
      zIndex={500}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{identity.ended.text}</Text>
          <TextInput label={identity.email} value={email} readOnly autoComplete="username" />
          <PasswordInput
            data-autofocus
            label={identity.password}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <FormProblem text={problem} />
          <Group justify="space-between">
            <Anchor size="sm" href={`/sign-in?next=${encodeURIComponent(here)}`}>
              {identity.ended.otherAccount}
            </Anchor>
            <Button type="submit" loading={pending}>
              {identity.ended.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
