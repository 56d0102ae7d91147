import { AppShell, Box, Burger, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useMatchRoute } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from '../kit/look/icons.tsx';
import { RailLink } from '../kit/links.tsx';
import { shell } from './strings.ts';
import { AccountMenu } from './account-menu.tsx';
import { DemoBadge } from './demo-badge.tsx';
import { managesOrganization, useStanding } from '../session/organization-context.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { MOD_KEY } from './platform.ts';
import { useCurrentWorkspace } from '../session/use-current-workspace.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** Beside the page on a desk; over it on a phone, where it is `opened` and closed and takes the focus while open. */
export function Rail({
  opened,
  onClose,
  onHelp,
}: {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
}): ReactElement {
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (opened) closer.current?.focus();
  }, [opened]);
  useHotkeys([['Escape', () => opened && onClose(), { preventDefault: false }]]);
  const { organization } = useStanding();
  const { current } = useCurrentWorkspace();
  // A workspace's own page belongs to the list; its gateway has an entry of its own.
  const onWorkspace = useMatchRoute()({ to: '/workspaces/$slug' }) !== false;
  return (
    <>
      <AppShell.Section p="sm" pb={0}>
        <Group hiddenFrom="sm" mb="xs">
          <Burger ref={closer} opened onClick={onClose} size="sm" aria-label={shell.closeNavigation} />
        </Group>
        <OrganizationSwitcher />
        <WorkspaceSwitcher />
        <Box mt="sm">
          <UnstyledButton className="search-button" onClick={spotlight.open}>
            <Icon name="search" size={16} />
            <span style={{ flex: 1 }}>{shell.search}</span>
            <Kbd size="xs" aria-hidden="true" visibleFrom="sm">
              {MOD_KEY} K
            </Kbd>
          </UnstyledButton>
        </Box>
      </AppShell.Section>
      <AppShell.Section grow p="sm" style={{ overflowY: 'auto' }}>
        <ul className="rail-list">
          <li>
            <RailLink to="/chat" activeOptions={{ includeSearch: false }}>
              <Icon name="chat" />
              {shell.nav.chat}
            </RailLink>
          </li>
          <li>
            <RailLink to="/runs" activeOptions={{ includeSearch: false }}>
              <Icon name="run" />
              {shell.nav.runs}
            </RailLink>
          </li>
          <li>
            <RailLink to="/integrations" activeOptions={{ includeSearch: false }}>
              <Icon name="link" />
              {shell.nav.integrations}
            </RailLink>
          </li>
          <li>
            <RailLink
              to="/workspaces"
              activeOptions={{ exact: true, includeSearch: false }}
              {...(onWorkspace ? { 'data-status': 'active' } : {})}
            >
              <Icon name="workspaces" />
              {shell.nav.workspaces}
            </RailLink>
          </li>
          {current !== undefined && (
            <li>
              <RailLink
                to="/workspaces/$slug/mcp-gateway"
                params={{ slug: current.slug }}
                activeOptions={{ includeSearch: false }}
              >
                <Icon name="gateway" />
                {shell.nav.gateway}
              </RailLink>
            </li>
          )}
          <li>
            <RailLink to="/receipts" activeOptions={{ includeSearch: false }}>
              <Icon name="receipt" />
              {shell.nav.receipts}
            </RailLink>
          </li>
          {managesOrganization(organization) && (
            <li>
              <RailLink to="/organization/settings" activeOptions={{ includeSearch: false }}>
                <Icon name="settings" />
                {shell.nav.settings}
              </RailLink>
            </li>
          )}
        </ul>
      </AppShell.Section>
      <Box visibleFrom="sm" px="md" pb="sm">
        <DemoBadge />
      </Box>
      <AppShell.Section p="sm" style={{ borderTop: '1px solid var(--app-line)' }}>
        <AccountMenu onHelp={onHelp} />
      </AppShell.Section>
    </>
  );
}
