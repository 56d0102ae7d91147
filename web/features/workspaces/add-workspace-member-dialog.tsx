import { Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Role } from '../../../src/contract/common.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { client } from '../../api/client.ts';
import { organizationPeopleQuery } from '../../session/queries.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { ROLES, roleOptions } from '../people/role-select.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { common } from '../../kit/strings.ts';
import { memberStrings as strings } from '../people/strings.ts';

interface AddWorkspaceMemberDialogProps {
  workspace: Workspace;
  /** The ids of current members. */
  taken: readonly string[];
  onClose: () => void;
  onAdded: () => void;
}

export function AddWorkspaceMemberDialog({
  workspace,
  taken,
  onClose,
  onAdded,
}: AddWorkspaceMemberDialogProps): ReactElement {
  const people = useQuery(organizationPeopleQuery(workspace.organization));
  const options = (people.data ?? [])
    .filter(({ user }) => !taken.includes(user))
    .map(({ user, name, email }) => ({ value: user, label: `${name} (${email})` }));
  const { form, submit, pending, problem } = useServerForm<
    { user: string | null; role: Role },
    Awaited<ReturnType<typeof client.workspaces.members.add>>
  >({
    initialValues: { user: null, role: 'member' },
    validate: { user: (value) => (value === null ? strings.personRequired : null) },
    send: ({ user, role }) => client.workspaces.members.add({ ws: workspace.id, user: user ?? '', role }),
    onDone: ({ member }) => {
      toastDone(strings.added(member.name));
      onAdded();
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.addTitle}>
      {people.isError && people.data === undefined ? (
        <LoadFailure error={people.error} retry={people.refetch} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              data-autofocus
              label={strings.person}
              placeholder={people.isPending ? common.loading : strings.personPlaceholder}
              searchable
              limit={50}
              nothingFoundMessage={strings.nobodyLeft}
              data={options}
              {...form.getInputProps('user')}
            />
            <Select label={strings.role} data={roleOptions(ROLES)} {...form.getInputProps('role')} />
            <FormFoot problem={problem} pending={pending} submit={strings.addSubmit} onCancel={onClose} />
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
