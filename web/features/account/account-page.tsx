import { Button, Card, Checkbox, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { changePassword, endSessions } from '../../api/identity.ts';
import { readFault } from '../../api/fault.ts';
import { forgetDrafts } from '../chat/composer/drafts.ts';
import { LanguageSwitch } from '../../kit/language-switch.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { NotificationSettings } from '../../installed/notification-settings.tsx';
import { chatImportStrings } from '../imports/strings.ts';
import { Instructions } from './instructions.tsx';
import { accountStrings as strings } from './strings.ts';

const PASSWORD_MIN = 8;

export function AccountPage(): ReactElement {
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="xl" maw="36rem">
        <ChooseLanguage />
        <Instructions />
        <NotificationSettings />
        <ImportChats />
        <ChangePassword />
        <EndSessions />
      </Stack>
    </>
  );
}

function ChooseLanguage(): ReactElement {
  return (
    <Card component="section" padding="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {strings.language.title}
        </Title>
        <Text size="sm">{strings.language.text}</Text>
        <LanguageSwitch />
      </Stack>
    </Card>
  );
}

function ImportChats(): ReactElement {
  return (
    <Card component="section" padding="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {chatImportStrings.accountTitle}
        </Title>
        <Text size="sm">{chatImportStrings.accountText}</Text>
        <ButtonLink to="/imports" variant="default">
          {chatImportStrings.title}
        </ButtonLink>
      </Stack>
    </Card>
  );
}

function ChangePassword(): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { currentPassword: '', newPassword: '', revokeOtherSessions: true, endTokens: true },
    validate: {
      currentPassword: (value) => (value === '' ? strings.password.required : null),
      newPassword: (value) => (value.length < PASSWORD_MIN ? strings.password.short : null),
    },
    send: ({ endTokens, ...values }) => changePassword({ ...values, keepTokens: !endTokens }),
    onDone: () => toastDone(strings.password.done),
    explain: ({ code }) => (code === 'invalid_credentials' ? strings.password.wrong : undefined),
    isSecret: true,
  });
  return (
    <Card component="section" padding="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h4">
            {strings.password.title}
          </Title>
          <PasswordInput
            label={strings.password.current}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={strings.password.next}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <Checkbox
            label={strings.password.others}
            description={strings.password.othersText}
            {...form.getInputProps('revokeOtherSessions', { type: 'checkbox' })}
          />
          <Checkbox
            label={strings.tokens}
            description={strings.tokensText}
            {...form.getInputProps('endTokens', { type: 'checkbox' })}
          />
          <FormProblem text={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              {strings.password.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** Reloads the page, as signing out does. */
function EndSessions(): ReactElement {
  const [endTokens, setEndTokens] = useState(true);
  const end = useMutation({
    mutationFn: () => endSessions({ keepTokens: !endTokens }),
    onSuccess: () => {
      forgetDrafts();
      window.location.assign('/sign-in');
    },
  });
  return (
    <Card component="section" padding="lg">
      <Stack>
        <Title order={2} size="h4">
          {strings.sessions.title}
        </Title>
        <Text size="sm">{strings.sessions.text}</Text>
        <Checkbox
          label={strings.tokens}
          description={strings.tokensText}
          checked={endTokens}
          onChange={(event) => setEndTokens(event.currentTarget.checked)}
        />
        <FormProblem text={end.error === null ? undefined : readFault(end.error).text} />
        <Group justify="flex-end">
          <Button color="red" loading={end.isPending || end.isSuccess} onClick={() => end.mutate()}>
            {strings.sessions.submit}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
