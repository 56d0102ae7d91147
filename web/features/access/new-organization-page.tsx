import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { client } from '../../api/client.ts';
import { signOut } from '../../api/identity.ts';
import { meQuery } from '../../session/me-query.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { DeleteAccountButton } from '../account/delete-account.tsx';
import { DownloadData } from '../account/your-data.tsx';
import { ShutOrganizations } from './shut-organizations.tsx';
import { organizationStrings as strings } from './strings.ts';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

export function NewOrganizationPage(): ReactElement {
  const { data: me } = useQuery(meQuery);
  const isFirst = me?.organizations.length === 0;
  return me?.organizationsClosed ? <NoOrganization isFirst={isFirst} /> : <NewOrganization isFirst={isFirst} />;
}

/** Shown when only the operator can create organizations. */
function NoOrganization({ isFirst }: { isFirst: boolean }): ReactElement {
  const { data: me } = useQuery(meQuery);
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign('/sign-in'),
    onError: toastFault,
  });
  return (
    <SinglePromptLayout
      title={isFirst ? strings.noneTitle : strings.closedTitle}
      text={strings.closedText}
      below={<Below isFirst={isFirst} />}
    >
      {me !== undefined && <Text size="sm">{strings.account(me.user.email)}</Text>}
      <Group justify="flex-end">
        {isFirst ? (
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            {identity.signOut}
          </Button>
        ) : (
          <ButtonLink to="/workspaces" variant="default">
            {common.backToApp}
          </ButtonLink>
        )}
      </Group>
    </SinglePromptLayout>
  );
}

/** What else there is for a person without an organization. */
function Below({ isFirst, text }: { isFirst: boolean; text?: string }): ReactElement {
  return (
    <>
      <ShutOrganizations />
      {isFirst && (
        <Stack align="center" gap="sm">
          {text !== undefined && (
            <Text size="sm" c="dimmed" ta="center">
              {text}
            </Text>
          )}
          <Group gap="sm" justify="center">
            <DownloadData quiet />
            <DeleteAccountButton quiet />
          </Group>
        </Stack>
      )}
    </>
  );
}

function NewOrganization({ isFirst }: { isFirst: boolean }): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ name }) => client.organizations.create({ name }),
    onDone: async ({ organization }) => {
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
      toastDone(strings.created(organization.name));
      await navigate({ to: '/chat', search: { org: organization.slug } });
    },
  });
  return (
    <SinglePromptLayout
      title={isFirst ? strings.title : strings.titleMore}
      text={strings.text}
      below={<Below isFirst={isFirst} text={strings.invited} />}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput label={strings.name} autoComplete="organization" maxLength={100} {...form.getInputProps('name')} />
          <FormProblem text={problem} />
          <Group justify="flex-end">
            {!isFirst && (
              <ButtonLink to="/workspaces" variant="default">
                {common.cancel}
              </ButtonLink>
            )}
            <Button type="submit" loading={pending}>
              {strings.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </SinglePromptLayout>
  );
}
