import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { signUp } from '../api/identity.ts';
import { FormProblem } from '../parts/form-problem.tsx';
import { AnchorLink } from '../parts/links.tsx';
import { Loading } from '../parts/loading.tsx';
import { useServerForm } from '../parts/use-server-form.ts';
import { Front } from '../shell/front.tsx';
import { useEnter } from '../shell/use-enter.ts';
import { type SignUpOffer, useSignUp } from '../shell/use-sign-up.ts';
import { common } from '../strings/common.ts';
import { identity } from '../strings/identity.ts';

const PASSWORD_MIN = 8;

export function SignUpPage(): ReactElement {
  const { next } = useSearch({ from: '/sign-up' });
  const enter = useEnter(next);
  const { offer, invitation } = useSignUp(next);
  return (
    <Front>
      <title>{common.pageTitle(identity.signUp.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.signUp.title}
      </Title>
      {offer === 'offered' ? <SignUpForm invitation={invitation} onDone={enter} /> : <NoForm offer={offer} />}
      <Text size="sm">
        {identity.signUp.other}{' '}
        <AnchorLink to="/sign-in" search={next === undefined ? {} : { next }}>
          {identity.signUp.otherLink}
        </AnchorLink>
      </Text>
    </Front>
  );
}

function NoForm({ offer }: { offer: Exclude<SignUpOffer, 'offered'> }): ReactElement {
  return offer === 'unknown' ? <Loading /> : <Text>{identity.signUp[offer]}</Text>;
}

function SignUpForm({ invitation, onDone }: { invitation: string | undefined; onDone: () => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? identity.signUp.nameRequired : null),
      email: (value) => (value.includes('@') ? null : common.emailInvalid),
      password: (value) => (value.length < PASSWORD_MIN ? identity.signUp.passwordHint : null),
    },
    send: (values) => signUp({ ...values, ...(invitation === undefined ? {} : { invitation }) }),
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={identity.signUp.name}
          autoComplete="name"
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
        />
        <TextInput
          type="email"
          label={identity.email}
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={identity.password}
          description={identity.signUp.passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <FormProblem text={problem} />
        <Button type="submit" size="md" loading={pending}>
          {identity.signUp.submit}
        </Button>
      </Stack>
    </form>
  );
}
