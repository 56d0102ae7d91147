import { Badge, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, client } from '../../api/client.ts';
import { meQuery } from '../../session/me-query.ts';
import { organizationMembersQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MembersList } from './members-list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { grantableRoles } from './role-select.tsx';
import { MoreRows } from '../../kit/rows.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { memberStrings, peopleStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { RequireSecondFactor } from '../policies/require-second-factor.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { Provisioning } from './provisioning.tsx';

export function OrganizationMembersPage(): ReactElement {
  const { user, organization } = useSignedIn();
  const query = useInfiniteQuery(organizationMembersQuery(organization.id));
  const queryClient = useQueryClient();
  const [inviting, { open, close }] = useDisclosure(false);
  const members = query.data?.pages.flatMap((page) => page.members) ?? [];
  const roles = grantableRoles(organization.role);
  return (
    <>
      <PageHeader
        title={strings.title}
        description={
          <>
            {strings.description(organization.name)}{' '}
            {query.data !== undefined && !query.hasNextPage && (
              <Badge color="gray" ms={4}>
                {strings.seats(members.filter((member) => !member.suspended).length)} ·{' '}
                {sessionStrings.plan(organization.plan)}
              </Badge>
            )}
          </>
        }
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            {strings.invite}
          </Button>
        }
      />
      <Stack gap="xl">
        <ListState
          query={query}
          isEmpty={members.length === 0}
          failed={memberStrings.failed}
          empty={{ icon: 'people', title: memberStrings.empty, text: strings.noInvitationsText }}
        >
          <MembersList
            members={members}
            place={organization.name}
            what={{ removed: memberStrings.removedWhat, left: memberStrings.leftWhat }}
            rolesFor={(member) => (roles.includes(member.role) ? roles : [])}
            canRemove={(member) => roles.includes(member.role)}
            changeRole={(member, role) =>
              client.organizations.members.update({ org: organization.id, user: member.user, role })
            }
            remove={(member) => client.organizations.members.remove({ org: organization.id, user: member.user })}
            onChanged={(member, change) => {
              if (change === 'removed' && member.user === user.id) return window.location.assign('/');
              void queryClient.invalidateQueries({ queryKey: api.organizations.key() });
              // The viewer's own role decides what this page shows.
              if (member.user === user.id) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
            }}
          />
          <MoreRows query={query} />
        </ListState>
        <OpenInvitations onInvite={open} />
        <RequireSecondFactor />
        {organization.role === 'owner' && <Provisioning />}
      </Stack>
      {inviting && <InviteDialog onClose={close} />}
    </>
  );
}
