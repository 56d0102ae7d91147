import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { signIn, signInOptionsQuery } from '../api/identity.ts';
import { setSessionEnded } from '../session/session-state.ts';
import { Dialog } from '../kit/dialog.tsx';
import { FormProblem } from '../kit/form-problem.tsx';
import { toastDone } from '../kit/toasts.tsx';
import { useServerForm } from '../kit/use-server-form.ts';
import { ContinueWithProvider } from '../features/access/continue-with-provider.tsx';
import { identity } from '../features/access/identity-strings.ts';
import { PasskeyButton } from '../features/access/passkey-button.tsx';
import { SecondFactorForm } from '../features/access/second-factor-form.tsx';

/** Opens over the page, which stays as it is; signing in again by password closes it. */
export function SessionEndedDialog({ email }: { email: string }): ReactElement {
  const { data } = useQuery({ ...signInOptionsQuery, retry: false });
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
      <Stack>
        <Text size="sm">{identity.ended.text}</Text>
        {data?.openid !== undefined && <ContinueWithProvider name={data.openid.name} next={here} />}
        {data?.openid?.only !== true && <PasswordForm email={email} here={here} />}
      </Stack>
    </Dialog>
  );
}

function PasswordForm({ email, here }: { email: string; here: string }): ReactElement {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const done = (): void => {
    setSessionEnded(false);
    toastDone(identity.ended.back);
    void queryClient.invalidateQueries();
  };
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? identity.passwordRequired : null) },
    send: ({ password }) => signIn({ email, password }),
    onDone: (step) => (step === 'entered' ? done() : setAsked(true)),
  });
  return (
    <>
      {asked ? (
        <SecondFactorForm onDone={done} onAgain={() => setAsked(false)} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
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
            <PasskeyButton onDone={done} />
          </Stack>
        </form>
      )}
    </>
  );
}
