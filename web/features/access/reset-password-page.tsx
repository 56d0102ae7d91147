// The link of a lost password leads here. Its secret is in the fragment, which is taken out of the address at once.
import { Button, Checkbox, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { resetPassword } from '../../api/identity.ts';
import { FocusedText } from '../../kit/focused-text.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { AuthLayout } from '../../kit/auth-layout.tsx';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

const PASSWORD_MIN = 8;

export function ResetPasswordPage(): ReactElement {
  const [token] = useState(() => window.location.hash.slice(1));
  const [done, setDone] = useState(false);
  const strings = identity.reset;
  useEffect(() => {
    if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return (
    <AuthLayout>
      <title>{common.pageTitle(strings.title)}</title>
      <Title order={1} tabIndex={-1}>
        {strings.title}
      </Title>
      {done ? (
        <Stack>
          <FocusedText>{strings.done}</FocusedText>
          <ButtonLink to="/sign-in">{identity.signIn.submit}</ButtonLink>
        </Stack>
      ) : token === '' ? (
        <Text>{strings.incomplete}</Text>
      ) : (
        <NewPassword token={token} onDone={() => setDone(true)} />
      )}
      {!done && (
        <AnchorLink size="sm" to="/forgot-password">
          {strings.newLink}
        </AnchorLink>
      )}
    </AuthLayout>
  );
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { password: '', endTokens: true },
    validate: { password: (value) => (value.length < PASSWORD_MIN ? identity.signUp.passwordHint : null) },
    send: ({ password, endTokens }) => resetPassword({ token, password, keepTokens: !endTokens }),
    onDone,
    fieldOf: (field) => (field === 'password' ? field : undefined),
    isSecret: true,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{identity.reset.text}</Text>
        <PasswordInput
          label={identity.reset.password}
          description={identity.signUp.passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <Checkbox
          label={identity.reset.tokens}
          description={identity.reset.tokensText}
          {...form.getInputProps('endTokens', { type: 'checkbox' })}
        />
        <FormProblem text={problem} />
        <Button type="submit" size="md" loading={pending}>
          {identity.reset.submit}
        </Button>
      </Stack>
    </form>
  );
}
