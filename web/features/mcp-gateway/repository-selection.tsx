import { Alert, Button, Card, Group, Stack, Switch, TagsInput, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { connections } from '../../api/runtime-client.ts';
import { connectionPolicyQuery } from '../integrations/queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { connectionStrings as strings } from '../integrations/connection-strings.ts';
import { isRepository, type Repositories } from './use-connection-policy.ts';

interface RepositorySelectionProps {
  place: WorkspaceNames;
  connection: string;
  repositories: Repositories;
  canManage: boolean;
}

type Values = { enforce: boolean; selected: string[] };

/** Which repositories a code host's connection may access. Saved in one step, so that no one is locked out in between. */
export function RepositorySelection({
  place,
  connection,
  repositories,
  canManage,
}: RepositorySelectionProps): ReactElement {
  const { organization, workspace } = place;
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<Values, Awaited<ReturnType<typeof connections.writePolicy>>>(
    {
      initialValues: { enforce: repositories.enforce, selected: [...repositories.selected] },
      validate: { selected: (selected) => firstFault(selected) },
      send: (values) =>
        connections.writePolicy(
          { params: { id: connection }, query: { workspace }, body: { repositories: values } },
          { context: { organization, access: 'write' } },
        ),
      onDone: (policy) => {
        queryClient.setQueryData(connectionPolicyQuery(place, connection).queryKey, policy);
        toastDone(strings.saved);
      },
    },
  );
  const { enforce, selected } = form.values;
  return (
    <section aria-labelledby="repositories">
      <Title order={2} id="repositories">
        {strings.repositories}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {strings.repositoriesText} {!canManage && strings.readOnly}
      </Text>
      <Card>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Switch
              label={strings.enforce}
              disabled={!canManage}
              {...form.getInputProps('enforce', { type: 'checkbox' })}
            />
            <TagsInput
              label={strings.selected}
              description={strings.selectedText}
              disabled={!canManage}
              splitChars={[',', ' ', '\n']}
              acceptValueOnBlur
              clearable={false}
              {...form.getInputProps('selected')}
            />
            {enforce && selected.length === 0 && (
              <Alert color="yellow" icon={<Icon name="alert" />} role="note">
                {strings.noneSelected}
              </Alert>
            )}
            <FormProblem text={problem} />
            {canManage && (
              <Group>
                <Button type="submit" loading={pending}>
                  {strings.save}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Card>
    </section>
  );
}

function firstFault(selected: readonly string[]): string | null {
  const wrong = selected.find((name) => !isRepository(name.trim()));
  return wrong === undefined ? null : strings.repositoryInvalid(wrong);
}
