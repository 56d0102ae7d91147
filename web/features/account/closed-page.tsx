import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Organization } from '../../../src/contract/organizations.ts';
import { client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { hasPasskeys, isAbandoned, answerByPasskey } from '../../api/passkeys.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { Mark } from '../../kit/look/mark.tsx';
import { common } from '../../kit/strings.ts';
import { useServerForm } from '../../kit/use-server-form.ts';
import { OneTimeCodes } from './one-time-codes.tsx';
import { Passkeys } from './passkeys.tsx';
import { Section } from './section.tsx';
import { closedStrings as strings } from './strings.ts';
import { refreshSignInWays } from './use-sign-in-ways.ts';
import { WithWays } from './with-ways.tsx';

/**
 * In place of every page of an organization that requires a second factor, while the session has none: the two sections
 * of the account page that give it one, and what the person has already. The address stays, so that the page that was
 * asked for follows.
 */
export function ClosedPage({
  organization,
  others,
}: {
  organization: Organization;
  others: readonly Organization[];
}): ReactElement {
  return (
    <main className="desk" id="content">
      <title>{common.pageTitle(strings.title(organization.name))}</title>
      <Group gap="sm">
        <Mark />
        <Text fw={650}>{common.product}</Text>
      </Group>
      <Stack w="100%" maw="36rem" gap="lg">
        <Card padding="xl">
          <Stack>
            <Title order={1} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {strings.title(organization.name)}
            </Title>
            <Text c="dimmed">{strings.text}</Text>
            {others.length > 0 && (
              <Group>
                {others.map(({ id, slug, name }) => (
                  <ButtonLink key={id} to="/chat" search={{ org: slug, workspace: undefined }} variant="default">
                    {strings.other(name)}
                  </ButtonLink>
                ))}
              </Group>
            )}
          </Stack>
        </Card>
        <WithWays>
          {({ oneTimeCodes, passkeys }) =>
            oneTimeCodes !== null || passkeys.length > 0 ? (
              <Section title={strings.have}>
                {oneTimeCodes !== null && <GiveCode />}
                {passkeys.length > 0 && hasPasskeys() && <GivePasskey />}
              </Section>
            ) : (
              <>
                <Passkeys />
                <OneTimeCodes />
              </>
            )
          }
        </WithWays>
      </Stack>
    </main>
  );
}

function GiveCode(): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim().length < 6 ? strings.codeRequired : null) },
    send: ({ code }) => client.account.strengthen({ code }),
    onDone: () => refreshSignInWays(queryClient),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label={strings.code} autoComplete="one-time-code" maxLength={40} {...form.getInputProps('code')} />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {strings.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function GivePasskey(): ReactElement {
  const queryClient = useQueryClient();
  const give = useMutation({
    mutationFn: async () =>
      client.account.prove({ passkey: await answerByPasskey(await client.account.askForPasskey()) }),
    onSuccess: () => refreshSignInWays(queryClient),
  });
  return (
    <Stack>
      <FormProblem text={give.error === null || isAbandoned(give.error) ? undefined : readFault(give.error).text} />
      <Group justify="flex-end">
        <Button variant="default" loading={give.isPending} onClick={() => give.mutate()}>
          {strings.passkey}
        </Button>
      </Group>
    </Stack>
  );
}
