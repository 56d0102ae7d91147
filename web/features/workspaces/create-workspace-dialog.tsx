import { Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, client } from '../../api/client.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { common } from '../../kit/strings.ts';
import { workspaceStrings as strings } from './strings.ts';

export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: ({ name }) => client.workspaces.create({ org: organization.id, name }),
    onDone: async ({ workspace }) => {
      await queryClient.invalidateQueries({ queryKey: api.workspaces.list.key() });
      onClose();
      toastDone(strings.created(workspace.name));
      await navigate({
        to: '/workspaces/$slug',
        params: { slug: workspace.slug },
        search: { workspace: workspace.slug },
      });
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.createTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {strings.createText}
          </Text>
          <TextInput
            data-autofocus
            label={strings.name}
            description={strings.nameHint}
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <FormFoot problem={problem} pending={pending} submit={strings.createSubmit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
