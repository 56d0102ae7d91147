import { Button, Card, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api, client } from '../../api/client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { common } from '../../kit/strings.ts';
import { workspaceStrings as strings } from './strings.ts';

export function WorkspaceDetails({ workspace }: { workspace: Workspace }): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: workspace.name },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ name }) => client.workspaces.update({ ws: workspace.id, name }),
    onDone: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: api.workspaces.list.key() });
      form.resetDirty({ name });
      toastDone(strings.renamed);
    },
  });
  return (
    <Card>
      <Stack>
        {workspace.canManage && (
          <form onSubmit={submit} noValidate>
            <Stack gap="xs">
              <Group align="flex-end" gap="xs">
                <TextInput
                  label={strings.name}
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
        )}
        <CopyField label={strings.id} value={workspace.id} />
      </Stack>
    </Card>
  );
}
