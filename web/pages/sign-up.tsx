import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { signUp } from '../api/identity.ts';
import { FormProblem } from '../parts/form-problem.tsx';
import { AnchorLink } from '../parts/links.tsx';
import { useServerForm } from '../parts/use-server-form.ts';
import { Front } from '../shell/front.tsx';
import { useEnter } from '../shell/use-enter.ts';
import { common } from '../strings/common.ts';
import { identity } from '../strings/identity.ts';

const PASSWORD_MIN = 8;

export function SignUpPage(): ReactElement {
  const { next } = useSearch({ from: '/sign-up' });
  const enter = useEnter(next);
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? identity.signUp.nameRequired : null),
      email: (value) => (value.includes('@') ? null : common.emailInvalid),
      password: (value) => (value.length < PASSWORD_MIN ? identity.signUp.passwordHint : null),
    },
    send: signUp,
    onDone: enter,
  });
  return (
    <Front>
      <title>{common.pageTitle(identity.signUp.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.signUp.title}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput label={identity.signUp.name} autoComplete="name" required withAsterisk={false} {...form.getInputProps('name')} />
          <TextInput type="email" label={identity.email} autoComplete="username" required withAsterisk={false} {...form.getInputProps('email')} />
          <PasswordInput label={identity.password} description={identity.signUp.passwordHint} autoComplete="new-password" required withAsterisk={false} {...form.getInputProps('password')} />
          <FormProblem text={problem} />
          <Button type="submit" size="md" loading={pending}>
            {identity.signUp.submit}
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        {identity.signUp.other}{' '}
        <AnchorLink to="/sign-in" search={next === undefined ? {} : { next }}>
          {identity.signUp.otherLink}
        </AnchorLink>
      </Text>
    </Front>
  );
}
