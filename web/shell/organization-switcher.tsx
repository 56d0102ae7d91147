import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../look/icons.tsx';
import { Monogram } from '../parts/monogram.tsx';
import { roleNames } from '../strings/common.ts';
import { shell } from '../strings/shell.ts';
import { LeaveOrganization } from './leave-organization.tsx';
import { useStanding } from './organization-context.ts';

export function OrganizationSwitcher(): ReactElement {
  const { organization, organizations } = useStanding();
  const navigate = useNavigate();
  const [leaving, { open, close }] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-start" width={248}>
        <Menu.Target>
          <UnstyledButton className="switcher">
            <Monogram name={organization.name} />
            <VisuallyHidden>{shell.switchOrganization}</VisuallyHidden>
            <span style={{ flex: 1, minWidth: 0 }}>
              <Text component="span" display="block" fw={600} size="sm" truncate>
                {organization.name}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {shell.plan(organization.plan)}
              </Text>
            </span>
            <Icon name="chevrons" size={16} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{shell.organization}</Menu.Label>
          {organizations.map((each) => (
            <Menu.Item
              key={each.id}
              leftSection={<Monogram name={each.name} quiet />}
              rightSection={each.id === organization.id ? <Icon name="check" size={16} /> : undefined}
              aria-current={each.id === organization.id}
              onClick={() => navigate({ to: '/workspaces', search: { org: each.slug, workspace: undefined } })}
            >
              {each.name}
              <Text component="span" display="block" size="xs" c="dimmed">
                {roleNames[each.role]}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => navigate({ to: '/organizations/new' })}>
            {shell.newOrganization}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={open}>
            {shell.leaveOrganization}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {leaving && <LeaveOrganization onClose={close} />}
    </>
  );
}
