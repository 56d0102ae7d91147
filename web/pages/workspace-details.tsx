import { Button, Card, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { api, client } from '../api/client.ts';
import { CopyField } from '../parts/copy-field.tsx';
import { FormProblem } from '../parts/form-problem.tsx';
import { toastDone } from '../parts/toasts.tsx';
import { useServerForm } from '../parts/use-server-form.ts';
import { common } from '../strings/common.ts';
import { workspaceStrings as strings } from '../strings/workspaces.ts';

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
