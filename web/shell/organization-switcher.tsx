import { Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { meQuery } from '../session/me-query.ts';
import { Icon } from '../kit/look/icons.tsx';
import { Monogram } from '../kit/monogram.tsx';
import { roleNames } from '../kit/strings.ts';
import { sessionStrings } from '../session/strings.ts';
import { shell } from './strings.ts';
import { useSignedIn } from '../session/organization-context.ts';
import { SwitcherTarget } from './switcher-target.tsx';
import { client } from '../api/client.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { memberStrings as strings } from '../features/people/strings.ts';

export function OrganizationSwitcher(): ReactElement {
  const { organization, organizations } = useSignedIn();
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  const [leaving, { open, close }] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-start" width={248}>
        <SwitcherTarget
          mark={<Monogram name={organization.name} />}
          purpose={shell.switchOrganization}
          name={organization.name}
          detail={sessionStrings.plan(organization.plan)}
          strong
        />
        <Menu.Dropdown>
          <Menu.Label>{shell.organization}</Menu.Label>
          {organizations.map((each) => (
            <Menu.Item
              key={each.id}
              leftSection={<Monogram name={each.name} quiet />}
              rightSection={each.id === organization.id ? <Icon name="check" size={16} /> : undefined}
              aria-current={each.id === organization.id}
              onClick={() => void navigate({ to: '/workspaces', search: { org: each.slug, workspace: undefined } })}
            >
              {each.name}
              <Text component="span" display="block" size="xs" c="dimmed">
                {roleNames[each.role]}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {me?.shutOrganizations !== undefined && (
            <Menu.Item
              leftSection={<Icon name="archive" size={16} />}
              onClick={() => void navigate({ to: '/organizations/new' })}
            >
              {shell.shutOrganizations}
            </Menu.Item>
          )}
          {!me?.organizationsClosed && (
            <Menu.Item
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => void navigate({ to: '/organizations/new' })}
            >
              {shell.newOrganization}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={open}>
            {shell.leaveOrganization}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {leaving && <LeaveOrganization onClose={close} />}
    </>
  );
}

/** For everyone, including members, who have no access to the settings. */
function LeaveOrganization({ onClose }: { onClose: () => void }): ReactElement {
  const { user, organization } = useSignedIn();
  return (
    <ConfirmDialog
      title={strings.leaveTitle(organization.name)}
      text={`${strings.leaveText} ${strings.leftWhat}`}
      confirm={shell.leaveOrganization}
      act={() => client.organizations.members.remove({ org: organization.id, user: user.id })}
      onClose={onClose}
      onDone={() => window.location.assign('/')}
    />
  );
}
