import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { answerDevice, type DeviceAnswer, findDevice, normalizeUserCode } from './device.ts';
import { readFault } from '../../api/fault.ts';
import { meQuery } from '../../session/me-query.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { deviceStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/device');

/** A code from a link is filled in but not confirmed: the person compares it with the terminal first. */
export function DevicePage(): ReactElement {
  const { user_code: given } = route.useSearch();
  const [code, setCode] = useState<string>();
  const [answer, setAnswer] = useState<DeviceAnswer>();
  if (answer === 'approve') return <SinglePromptLayout title={strings.approvedTitle} text={strings.approvedText} />;
  if (answer === 'deny') return <SinglePromptLayout title={strings.deniedTitle} text={strings.deniedText} />;
  if (code === undefined) return <EnterCode given={given ?? ''} onFound={setCode} />;
  return <ConfirmDevice code={code} onAnswer={setAnswer} />;
}

function EnterCode({ given, onFound }: { given: string; onFound: (code: string) => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { code: given },
    validate: { code: (value) => (normalizeUserCode(value) === '' ? strings.codeRequired : null) },
    send: async ({ code }) => {
      await findDevice(normalizeUserCode(code));
      return normalizeUserCode(code);
    },
    onDone: onFound,
    explain: ({ status }) => (status === 400 ? strings.unknown : undefined),
  });
  return (
    <SinglePromptLayout title={strings.title} text={strings.text}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={strings.code}
            size="lg"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.12em' } }}
            {...form.getInputProps('code')}
          />
          <FormProblem text={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              {strings.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </SinglePromptLayout>
  );
}

function ConfirmDevice({ code, onAnswer }: { code: string; onAnswer: (answer: DeviceAnswer) => void }): ReactElement {
  const { data: me } = useQuery(meQuery);
  const decide = useMutation({
    mutationFn: (answer: DeviceAnswer) => answerDevice(code, answer),
    onSuccess: (_, answer) => onAnswer(answer),
  });
  return (
    <SinglePromptLayout title={strings.confirmTitle} text={strings.confirmText}>
      <Text ff="monospace" fz={28} fw={600} ta="center" style={{ letterSpacing: '0.14em' }}>
        {code}
      </Text>
      {me !== undefined && <Text size="sm">{strings.account(me.user.email)}</Text>}
      <FormProblem text={decide.error === null ? undefined : problemOf(decide.error)} />
      <Group justify="flex-end">
        <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
          {strings.deny}
        </Button>
        <Button loading={decide.isPending} onClick={() => decide.mutate('approve')}>
          {strings.approve}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}

/** The same message whether the code expired, was used, or belongs to someone else. */
function problemOf(error: unknown): string {
  const { status, text } = readFault(error);
  return status === 400 || status === 403 ? strings.unknown : text;
}
