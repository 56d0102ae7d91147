import { AppShell, Box, Burger, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type LinkProps, linkOptions, useMatchRoute } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../kit/look/icons.tsx';
import { RailLink } from '../kit/links.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { shell } from './strings.ts';
import { AccountMenu } from './account-menu.tsx';
import { DemoBadge } from './demo-badge.tsx';
import { managesOrganization, useCurrentWorkspace, useSignedIn } from '../session/organization-context.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { togglePalette } from './palette-on-demand.tsx';
import { MOD_KEY } from './platform.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** Beside the page on wide screens; on narrow ones an overlay that is `opened` and traps the focus. */
export function Rail({
  opened,
  toasts,
  onClose,
  onHelp,
}: {
  opened: boolean;
  /** Whether it shows them; otherwise the page does. */
  toasts: boolean;
  onClose: () => void;
  onHelp: () => void;
}): ReactElement {
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (opened) closer.current?.focus();
  }, [opened]);
  useHotkeys([['Escape', () => opened && onClose(), { preventDefault: false }]]);
  return (
    <>
      <AppShell.Section p="sm" pb={0}>
        <Group hiddenFrom="sm" mb="xs">
          <Burger ref={closer} opened onClick={onClose} size="sm" aria-label={shell.closeNavigation} />
        </Group>
        <OrganizationSwitcher />
        <WorkspaceSwitcher />
        <Box mt="sm">
          <UnstyledButton className="search-button" onClick={() => void togglePalette()}>
            <Icon name="search" size={16} />
            <span style={{ flex: 1 }}>{shell.search}</span>
            <Kbd size="xs" aria-hidden="true" visibleFrom="sm">
              {MOD_KEY} K
            </Kbd>
          </UnstyledButton>
        </Box>
      </AppShell.Section>
      <AppShell.Section grow p="sm" style={{ overflowY: 'auto' }}>
        <RailLinks />
      </AppShell.Section>
      {toasts && <Toasts place="rail" />}
      <Box visibleFrom="sm" px="md" pb="sm">
        <DemoBadge />
      </Box>
      <AppShell.Section p="sm" style={{ borderTop: '1px solid var(--app-line)' }}>
        <AccountMenu onHelp={onHelp} />
      </AppShell.Section>
    </>
  );
}

/** The search parameters do not matter for which page is current. */
const activeOptions = { includeSearch: false };

function RailLinks(): ReactElement {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  // A workspace page belongs to Workspaces; its gateway has its own entry.
  const onWorkspace = useMatchRoute()({ to: '/workspaces/$slug' }) !== false;
  return (
    <ul className="rail-list">
      <RailItem icon="chat" label={shell.nav.chat} link={linkOptions({ to: '/chat', activeOptions })} />
      <RailItem icon="folder" label={shell.nav.projects} link={linkOptions({ to: '/projects', activeOptions })} />
      <RailItem icon="prompt" label={shell.nav.prompts} link={linkOptions({ to: '/prompts', activeOptions })} />
      <RailItem icon="run" label={shell.nav.runs} link={linkOptions({ to: '/runs', activeOptions })} />
      <RailItem icon="link" label={shell.nav.integrations} link={linkOptions({ to: '/integrations', activeOptions })} />
      <RailItem
        icon="workspaces"
        label={shell.nav.workspaces}
        link={linkOptions({ to: '/workspaces', activeOptions: { ...activeOptions, exact: true } })}
        {...(onWorkspace ? { 'data-status': 'active' } : {})}
      />
      {current !== undefined && (
        <RailItem
          icon="gateway"
          label={shell.nav.gateway}
          link={linkOptions({
            to: '/workspaces/$slug/mcp-gateway',
            params: { slug: current.slug },
            activeOptions,
          })}
        />
      )}
      <RailItem icon="receipt" label={shell.nav.receipts} link={linkOptions({ to: '/receipts', activeOptions })} />
      {managesOrganization(organization) && (
        <RailItem
          icon="settings"
          label={shell.nav.settings}
          link={linkOptions({ to: '/organization/settings', activeOptions })}
        />
      )}
    </ul>
  );
}

interface RailItemProps {
  icon: IconName;
  label: string;
  link: LinkProps;
  'data-status'?: 'active';
}

function RailItem({ icon, label, link, ...status }: RailItemProps): ReactElement {
  return (
    <li>
      <RailLink {...link} {...status}>
        <Icon name={icon} />
        {label}
      </RailLink>
    </li>
  );
}
