import { Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import type { Project, ProjectSharing } from '../../../src/contract/projects.ts';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { common } from '../../kit/strings.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { type ServerFormState, useServerForm } from '../../kit/use-server-form.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { SharingChoice } from './project-sharing.tsx';
import { projectQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

// An interface would not be a record.
type Named = { name: string; description: string };
type New = Named & { sharing: ProjectSharing };

const validate = { name: (value: string) => (value.trim() === '' ? common.nameRequired : null) };

function NameFields({ form }: { form: Pick<ServerFormState<Named>['form'], 'getInputProps'> }): ReactElement {
  return (
    <>
      <TextInput
        data-autofocus
        label={strings.name}
        maxLength={PROJECT_LIMITS.name}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={strings.descriptionLabel}
        description={strings.descriptionHint}
        maxLength={PROJECT_LIMITS.description}
        autoComplete="off"
        {...form.getInputProps('description')}
      />
    </>
  );
}

/** In the workspace of the tab. */
export function CreateProjectDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated?: () => void;
}): ReactElement {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, submit, pending, problem } = useServerForm<New, { project: Project }>({
    initialValues: { name: '', description: '', sharing: 'private' },
    validate,
    send: (values) =>
      client.projects.create({
        organization: organization.id,
        ...(current === undefined ? {} : { workspace: current.id }),
        ...values,
      }),
    onDone: async ({ project }) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, project);
      await queryClient.invalidateQueries({ queryKey: api.projects.list.key() });
      onClose();
      onCreated?.();
      toastDone(strings.created(project.name));
      await navigate({ to: '/projects/$project', params: { project: project.id } });
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.createTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <NameFields form={form} />
          <SharingChoice workspace={current?.name ?? ''} {...form.getInputProps('sharing')} />
          <FormFoot problem={problem} pending={pending} submit={strings.createSubmit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function EditProjectDialog({ project, onClose }: { project: Project; onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<Named, unknown>({
    initialValues: { name: project.name, description: project.description },
    validate,
    send: (values) => client.projects.update({ project: project.id, ...values }),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: api.projects.key() });
      toastDone(strings.saved);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.editTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <NameFields form={form} />
          <FormFoot problem={problem} pending={pending} submit={strings.save} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={strings.deleteTitle(project.name)}
      text={strings.deleteText}
      confirm={strings.delete}
      act={() => client.projects.remove({ project: project.id })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await navigate({ to: '/projects', replace: true });
        queryClient.removeQueries({ queryKey: projectQuery(project.id).queryKey });
        await queryClient.invalidateQueries({ queryKey: api.projects.list.key() });
        await queryClient.invalidateQueries({ queryKey: api.threads.key() });
      }}
    />
  );
}
