import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { signIn } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { AuthLayout } from '../../kit/auth-layout.tsx';
import { useEnter } from './use-enter.ts';
import { useSignUp } from './use-sign-up.ts';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

export function SignInPage(): ReactElement {
  const { next } = useSearch({ from: '/sign-in' });
  const enter = useEnter(next);
  const { offer } = useSignUp(next);
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : common.emailInvalid),
      password: (value) => (value === '' ? identity.passwordRequired : null),
    },
    send: signIn,
    onDone: enter,
  });
  return (
    <AuthLayout>
      <title>{common.pageTitle(identity.signIn.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.signIn.title}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
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
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('password')}
          />
          <FormProblem text={problem} />
          <Button type="submit" size="md" loading={pending}>
            {identity.signIn.submit}
          </Button>
        </Stack>
      </form>
      {offer === 'offered' && (
        <Text size="sm">
          {identity.signIn.other}{' '}
          <AnchorLink to="/sign-up" search={next === undefined ? {} : { next }}>
            {identity.signIn.otherLink}
          </AnchorLink>
        </Text>
      )}
      {(offer === 'invited' || offer === 'closed') && <Text size="sm">{identity.signIn[offer]}</Text>}
    </AuthLayout>
  );
}
