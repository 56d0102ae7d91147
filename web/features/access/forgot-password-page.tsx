import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { forgotPassword, signInOptionsQuery } from '../../api/identity.ts';
import { FocusedText } from '../../kit/focused-text.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Loading } from '../../kit/loading.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { AuthLayout } from '../../kit/auth-layout.tsx';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

/** The same words whether or not there is an account. */
export function ForgotPasswordPage(): ReactElement {
  const { data, isError } = useQuery({ ...signInOptionsQuery, retry: false });
  const [sentTo, setSentTo] = useState<string>();
  const strings = identity.forgot;
  return (
    <AuthLayout>
      <title>{common.pageTitle(strings.title)}</title>
      <Title order={1} tabIndex={-1}>
        {strings.title}
      </Title>
      {sentTo !== undefined ? (
        <FocusedText>{strings.sent(sentTo)}</FocusedText>
      ) : data === undefined && !isError ? (
        <Loading />
      ) : data?.mail === false ? (
        <Text>{strings.noMail}</Text>
      ) : (
        <AskForLink onSent={setSentTo} />
      )}
      <AnchorLink size="sm" to="/sign-in">
        {strings.back}
      </AnchorLink>
    </AuthLayout>
  );
}

function AskForLink({ onSent }: { onSent: (email: string) => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { email: '' },
    validate: { email: (value) => (value.includes('@') ? null : common.emailInvalid) },
    send: forgotPassword,
    onDone: (_, { email }) => onSent(email),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{identity.forgot.text}</Text>
        <TextInput
          type="email"
          label={identity.email}
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <FormProblem text={problem} />
        <Button type="submit" size="md" loading={pending}>
          {identity.forgot.submit}
        </Button>
      </Stack>
    </form>
  );
}
