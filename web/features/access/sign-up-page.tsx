import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { signUp } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Loading } from '../../kit/loading.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { AuthLayout } from '../../kit/auth-layout.tsx';
import { ContinueWithProvider } from './continue-with-provider.tsx';
import { useEnter } from './use-enter.ts';
import { type SignUpOffer, useSignUp } from './use-sign-up.ts';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

const PASSWORD_MIN = 8;

export function SignUpPage(): ReactElement {
  const { next } = useSearch({ from: '/sign-up' });
  const { enter } = useEnter(next);
  const { offer, invitation, openid } = useSignUp(next);
  return (
    <AuthLayout>
      <title>{common.pageTitle(identity.signUp.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.signUp.title}
      </Title>
      {openid !== undefined && <ContinueWithProvider name={openid.name} next={next} />}
      {openid?.only === true ? (
        <Text size="sm">{identity.signIn.firstTime(openid.name)}</Text>
      ) : offer === 'offered' ? (
        <SignUpForm invitation={invitation} onDone={enter} />
      ) : (
        <NoForm offer={offer} />
      )}
      <Text size="sm">
        {identity.signUp.other}{' '}
        <AnchorLink to="/sign-in" search={next === undefined ? {} : { next }}>
          {identity.signUp.otherLink}
        </AnchorLink>
      </Text>
    </AuthLayout>
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
