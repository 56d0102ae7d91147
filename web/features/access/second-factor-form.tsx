import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type ReactElement, useEffect, useRef } from 'react';
import { giveSecondFactor } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { identity } from './identity-strings.ts';

/** After the password of an account with one-time codes. */
export function SecondFactorForm({
  onDone,
  onAgain,
}: {
  onDone: () => void;
  /** The question has ended: the password is asked again. */
  onAgain: () => void;
}): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim().length < 6 ? identity.factor.required : null) },
    send: ({ code }) => giveSecondFactor(code),
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{identity.factor.text}</Text>
        <TextInput
          data-autofocus
          ref={field}
          label={identity.factor.code}
          autoComplete="one-time-code"
          maxLength={40}
          {...form.getInputProps('code')}
        />
        <FormProblem text={problem} />
        <Button type="submit" size="md" loading={pending}>
          {identity.signIn.submit}
        </Button>
        <Button variant="subtle" onClick={onAgain}>
          {identity.factor.again}
        </Button>
      </Stack>
    </form>
  );
}
