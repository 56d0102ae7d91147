import { Button, Group, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api, client } from '../../api/client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MembersList } from '../people/members-list.tsx';
import { ROLES } from '../people/role-select.tsx';
import { MoreRows } from '../../kit/rows.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { memberStrings as strings } from '../people/strings.ts';
import { AddWorkspaceMemberDialog } from './add-workspace-member-dialog.tsx';
import { byCursor, pageAt } from '../../api/by-cursor.ts';

/** Default has the members of the organization; only named workspaces have their own. */
export function WorkspaceMembers({ workspace }: { workspace: Workspace }): ReactElement {
  const { user } = useSignedIn();
  const query = useInfiniteQuery(workspaceMembersQuery(workspace.id));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [adding, { open, close }] = useDisclosure(false);
  const members = query.data?.pages.flatMap((page) => page.members) ?? [];
  const isNamed = workspace.kind === 'named';
  const canManage = workspace.canManage && isNamed;
  const add = canManage ? (
    <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {strings.add}
    </Button>
  ) : undefined;
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: api.workspaces.key() });
  };
  return (
    <section aria-labelledby="members">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="members">
          {strings.title}
        </Title>
        {members.length > 0 && add}
      </Group>
      <ListState
        query={query}
        isEmpty={members.length === 0}
        empty={{ icon: 'people', title: strings.empty, text: strings.emptyWorkspaceText, action: add }}
      >
        <MembersList
          members={members}
          place={workspace.name}
          rolesFor={() => (canManage ? ROLES : [])}
          canRemove={(member) => isNamed && (canManage || member.user === user.id)}
          changeRole={(member, role) => client.workspaces.members.update({ ws: workspace.id, user: member.user, role })}
          remove={(member) => client.workspaces.members.remove({ ws: workspace.id, user: member.user })}
          onChanged={(member, change) => {
            refresh();
            if (change === 'removed' && member.user === user.id)
              void navigate({ to: '/workspaces', search: { workspace: undefined } });
          }}
        />
        <MoreRows query={query} />
      </ListState>
      {adding && (
        <AddWorkspaceMemberDialog
          workspace={workspace}
          taken={members.map((member) => member.user)}
          onClose={close}
          onAdded={refresh}
        />
      )}
    </section>
  );
}

function workspaceMembersQuery(ws: string) {
  return infiniteQueryOptions({
    queryKey: [...api.workspaces.members.list.key(), ws],
    queryFn: ({ pageParam, signal }) => client.workspaces.members.list({ ws, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
