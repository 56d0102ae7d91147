import { Button, Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../api/client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Monogram } from '../../kit/monogram.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { common } from '../../kit/strings.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { meQuery } from '../../session/me-query.ts';
import { organizationPeopleQuery } from '../../session/queries.ts';
import { DeleteOrganization } from './delete-organization.tsx';
import { generalStrings as strings } from './strings.ts';

export function GeneralPage(): ReactElement {
  const { organization } = useSignedIn();
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="lg">
        <Card>
          <Stack>
            <NameForm key={organization.id} />
            <CopyField label={strings.id} description={strings.idText} value={organization.id} />
            <CopyField label={strings.slug} description={strings.slugText} value={organization.slug} />
          </Stack>
        </Card>
        <Owners />
        <DeleteOrganization />
      </Stack>
    </>
  );
}

function NameForm(): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: organization.name },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ name }) => client.organizations.update({ org: organization.id, name }),
    onDone: async ({ organization: { name } }) => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      form.setValues({ name });
      form.resetDirty({ name });
      toastDone(strings.renamed(name));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            label={strings.name}
            description={strings.nameHint}
            maxLength={100}
            autoComplete="off"
            flex="1 1 14rem"
            maw="26rem"
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={pending} disabled={!form.isDirty()}>
            {strings.rename}
          </Button>
        </Group>
        <FormProblem text={problem} />
      </Stack>
    </form>
  );
}

function Owners(): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(organizationPeopleQuery(organization.id));
  const owners = query.data?.filter(({ role }) => role === 'owner');
  return (
    <section aria-labelledby="owners">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} id="owners">
            {strings.owners}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.ownersText}
          </Text>
        </div>
        <AnchorLink to="/organization/settings/members" size="sm">
          {strings.changeOwners}
        </AnchorLink>
      </Group>
      {owners !== undefined ? (
        <Rows label={strings.owners}>
          {owners.map(({ user, name, email }) => (
            <Row key={user} lead={<Monogram name={name} quiet />} title={name} text={email} />
          ))}
        </Rows>
      ) : query.error === null ? (
        <Skeleton height={56} radius="md" />
      ) : (
        <LoadFailure title={strings.ownersFailed} error={query.error} retry={query.refetch} />
      )}
    </section>
  );
}
