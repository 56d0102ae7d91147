// Who has a project: the choice, the dialog that changes it, and the page's words about it.
import { Alert, Button, Group, List, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Project, ProjectSharing } from '../../../src/contract/projects.ts';
import { api, client } from '../../api/client.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { projectQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

const SHARINGS = Object.keys(strings.sharings) as ProjectSharing[];

interface SharingChoiceProps {
  workspace: string;
  value?: ProjectSharing;
  onChange?: (value: string) => void;
}

export function SharingChoice({ workspace, ...field }: SharingChoiceProps): ReactElement {
  return (
    <Radio.Group label={strings.sharing(workspace)} description={strings.sharingHint} {...field}>
      <Stack gap="xs" mt="xs">
        {SHARINGS.map((sharing) => (
          <Radio
            key={sharing}
            value={sharing}
            label={strings.sharings[sharing].label}
            description={strings.sharings[sharing].hint}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ShareDialogProps {
  project: Project;
  workspace: string;
  onClose: () => void;
}

export function ShareDialog({ project, workspace, onClose }: ShareDialogProps): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<{ sharing: ProjectSharing }, unknown>({
    initialValues: { sharing: project.sharing },
    send: ({ sharing }) => client.projects.share({ project: project.id, sharing }),
    onDone: async () => {
      onClose();
      toastDone(strings.shared);
      await queryClient.invalidateQueries({ queryKey: api.projects.key() });
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.shareTitle(project.name)}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <SharingChoice workspace={workspace} {...form.getInputProps('sharing')} />
          <FormFoot problem={problem} pending={pending} submit={strings.save} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function TakeOver({ project }: { project: Project }): ReactElement {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.projects.takeOver({ project: project.id }),
    onError: toastFault,
    onSuccess: ({ project: taken }) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, taken);
      toastDone(strings.takenOver);
    },
  });
  return (
    <Alert color="gray" icon={<Icon name="people" />} role="note">
      <Group justify="space-between" gap="sm">
        {strings.left(project.managedBy.name)}
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {strings.takeOver}
        </Button>
      </Group>
    </Alert>
  );
}

export function WhoSees({ project, workspace }: { project: Project; workspace: string }): ReactElement {
  const { user } = useSignedIn();
  const { sharing, managedBy } = project;
  const { sees } = strings;
  const unshared = managedBy.left ? 'abandoned' : 'private';
  return (
    <section aria-labelledby="project-sees">
      <Title order={2} size="h4" id="project-sees" mb="xs">
        {strings.whoSees}
      </Title>
      <List size="sm" c="dimmed" spacing={4}>
        <List.Item>{sharing === 'private' ? sees[unshared] : sees[sharing](workspace)}</List.Item>
        <List.Item>{sees.chats}</List.Item>
      </List>
      {!managedBy.left && (
        <Text size="sm" c="dimmed" mt="xs">
          {managedBy.id === user.id ? sees.ifYouLeave : sees.managedBy(managedBy.name)}
        </Text>
      )}
    </section>
  );
}
