import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../api/client.ts';
import { signInOptionsQuery } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { PlainNote } from '../../kit/plain-note.tsx';
import { common } from '../../kit/strings.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { meQuery } from '../../session/me-query.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { withProof } from '../../session/proof.ts';
import { Section } from './section.tsx';
import { accountStrings as strings } from './strings.ts';

export function Profile(): ReactElement {
  return (
    <Section title={strings.profile.title}>
      <NameForm />
      <AddressForm />
    </Section>
  );
}

function NameForm(): ReactElement {
  const { user } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: user.name },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ name }) => client.account.update({ name }),
    onDone: async () => {
      toastDone(strings.profile.nameDone);
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label={strings.profile.name} autoComplete="name" maxLength={100} {...form.getInputProps('name')} />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={pending}>
            {strings.profile.saveName}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function AddressForm(): ReactElement {
  const { user } = useSignedIn();
  const { data: options } = useQuery(signInOptionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { email: user.email },
    validate: {
      email: (value) =>
        !value.includes('@')
          ? common.emailInvalid
          : value.trim().toLowerCase() === user.email
            ? strings.profile.sameAddress
            : null,
    },
    send: ({ email }) => withProof(() => client.account.update({ email })),
    onDone: ({ proving }) => setSentTo(proving),
  });
  if (options?.mail === false)
    return (
      <TextInput
        type="email"
        label={strings.profile.address}
        description={strings.profile.noMail}
        value={user.email}
        readOnly
      />
    );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          type="email"
          label={strings.profile.address}
          description={strings.profile.addressText}
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <FormProblem text={problem} />
        <output>{sentTo !== undefined && <PlainNote text={strings.profile.sent(sentTo)} />}</output>
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={pending}>
            {strings.profile.saveAddress}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
