import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { SignInWays } from '../../../src/contract/account/account.ts';
import { client } from '../../api/client.ts';
import { changePassword } from '../../api/identity.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { withProof } from '../../session/proof.ts';
import { Section } from './section.tsx';
import { accountStrings as strings } from './strings.ts';
import { refreshSignInWays } from './use-sign-in-ways.ts';
import { WithWays } from './with-ways.tsx';

const PASSWORD_MIN = 8;

export function Password(): ReactElement {
  return (
    <Section title={strings.password.title}>
      <WithWays>{(ways) => (ways.password ? <ChangePassword ways={ways} /> : <SetPassword />)}</WithWays>
    </Section>
  );
}

function ChangePassword({ ways }: { ways: SignInWays }): ReactElement {
  const [removing, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { currentPassword: '', newPassword: '', revokeOtherSessions: true, endTokens: true },
    validate: {
      currentPassword: (value) => (value === '' ? strings.password.required : null),
      newPassword: (value) => (value.length < PASSWORD_MIN ? strings.password.short : null),
    },
    send: ({ endTokens, ...values }) => changePassword({ ...values, keepTokens: !endTokens }),
    onDone: () => toastDone(strings.password.done),
    explain: ({ code }) => (code === 'invalid_credentials' ? strings.password.wrong : undefined),
    isSecret: true,
  });
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack>
          <PasswordInput
            label={strings.password.current}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={strings.password.next}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <Checkbox
            label={strings.password.others}
            description={strings.password.othersText}
            {...form.getInputProps('revokeOtherSessions', { type: 'checkbox' })}
          />
          <Checkbox
            label={strings.tokens}
            description={strings.tokensText}
            {...form.getInputProps('endTokens', { type: 'checkbox' })}
          />
          <FormProblem text={problem} />
          <Group justify="flex-end">
            {ways.passkeys.length > 0 && (
              <Button variant="subtle" color="red" onClick={open}>
                {strings.password.remove}
              </Button>
            )}
            <Button type="submit" loading={pending}>
              {strings.password.submit}
            </Button>
          </Group>
        </Stack>
      </form>
      {removing && (
        <ConfirmDialog
          title={strings.password.removeTitle}
          text={strings.password.removeText}
          confirm={strings.password.remove}
          act={() => withProof(() => client.account.removePassword())}
          onDone={async () => {
            close();
            toastDone(strings.password.removed);
            await refreshSignInWays(queryClient);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function SetPassword(): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < PASSWORD_MIN ? strings.password.short : null) },
    send: ({ password }) => withProof(() => client.account.setPassword({ password })),
    onDone: async () => {
      toastDone(strings.password.setDone);
      await refreshSignInWays(queryClient);
    },
    isSecret: true,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          label={strings.password.next}
          description={strings.password.none}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={pending}>
            {strings.password.set}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
