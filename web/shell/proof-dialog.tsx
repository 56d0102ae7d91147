import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, client } from '../api/client.ts';
import { readFault } from '../api/fault.ts';
import { hasPasskeys, isAbandoned, answerByPasskey } from '../api/passkeys.ts';
import { Dialog } from '../kit/dialog.tsx';
import { FormProblem } from '../kit/form-problem.tsx';
import { Loading } from '../kit/loading.tsx';
import { useServerForm } from '../kit/use-server-form.ts';
import type { ProofRequest } from '../session/proof.ts';
import { proofStrings as strings } from '../session/strings.ts';

/** Over the dialog whose action it interrupts. */
export function ProofDialog({ request: { method, answer } }: { request: ProofRequest }): ReactElement {
  const { data: ways, error } = useQuery({ ...api.account.signIn.queryOptions(), enabled: method !== 'openid' });
  const done = (): void => answer(true);
  return (
    <Dialog onClose={() => answer(false)} title={strings.title} zIndex={450}>
      <Stack>
        <Text size="sm">{method === 'openid' ? strings.provider : strings.text}</Text>
        {method === 'openid' && <ToProvider />}
        {error !== null && <FormProblem text={readFault(error).text} />}
        {method !== 'openid' && ways === undefined && error === null && <Loading />}
        {ways?.password === true && <ByPassword onDone={done} />}
        {ways !== undefined && ways.passkeys.length > 0 && hasPasskeys() && (
          <ByPasskey primary={!ways.password} onDone={done} />
        )}
      </Stack>
    </Dialog>
  );
}

function ToProvider(): ReactElement {
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <Group justify="flex-end">
      <Button component="a" href={`/api/auth/openid/start?proof=1&next=${encodeURIComponent(here)}`}>
        {strings.toProvider}
      </Button>
    </Group>
  );
}

function ByPassword({ onDone }: { onDone: () => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? strings.passwordRequired : null) },
    send: ({ password }) => client.account.prove({ password }),
    onDone,
    explain: ({ code }) => (code === 'invalid_credentials' ? strings.wrong : undefined),
    isSecret: true,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          data-autofocus
          label={strings.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {strings.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ByPasskey({ primary, onDone }: { primary: boolean; onDone: () => void }): ReactElement {
  const prove = useMutation({
    mutationFn: async () =>
      client.account.prove({ passkey: await answerByPasskey(await client.account.askForPasskey()) }),
    onSuccess: onDone,
  });
  return (
    <Stack>
      <FormProblem text={prove.error === null || isAbandoned(prove.error) ? undefined : readFault(prove.error).text} />
      <Group justify="flex-end">
        <Button variant={primary ? 'filled' : 'default'} loading={prove.isPending} onClick={() => prove.mutate()}>
          {strings.passkey}
        </Button>
      </Group>
    </Stack>
  );
}
