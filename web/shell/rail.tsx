import { ActionIcon, AppShell, Box, Burger, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type LinkProps, linkOptions, useMatchRoute } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../kit/look/icons.tsx';
import { RailLink } from '../kit/links.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { shell } from './strings.ts';
import { AccountMenu } from './account-menu.tsx';
import { DemoBadge } from './demo-badge.tsx';
import {
  managesOrganization,
  useManagesSomething,
  useCurrentWorkspace,
  useSignedIn,
} from '../session/organization-context.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { capsOf } from './key-caps.ts';
import { togglePalette } from './palette-on-demand.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

interface RailProps {
  opened: boolean;
  /** Only its signs are shown; the words are for screen readers. */
  folded: boolean;
  /** Whether it shows them; otherwise the page does. */
  toasts: boolean;
  onFold: () => void;
  onClose: () => void;
  onHelp: () => void;
}

/** Beside the page on wide screens; on narrow ones an overlay that is `opened` and traps the focus. */
export function Rail({ opened, folded, toasts, onFold, onClose, onHelp }: RailProps): ReactElement {
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
        <div className="rail-head">
          <OrganizationSwitcher />
          <ActionIcon
            visibleFrom="sm"
            variant="subtle"
            color="gray"
            aria-label={folded ? shell.unfoldNavigation : shell.foldNavigation}
            title={folded ? shell.unfoldNavigation : shell.foldNavigation}
            onClick={onFold}
          >
            <Icon name="rail" />
          </ActionIcon>
        </div>
        <WorkspaceSwitcher />
        <Box mt="sm">
          <UnstyledButton
            className="search-button"
            title={folded ? shell.search : undefined}
            onClick={() => void togglePalette()}
          >
            <Icon name="search" size={16} />
            <span className="rail-text" style={{ flex: 1 }}>
              {shell.search}
            </span>
            <Kbd size="xs" aria-hidden="true" visibleFrom="sm">
              {capsOf('palette').flat(2).join(' ')}
            </Kbd>
          </UnstyledButton>
        </Box>
      </AppShell.Section>
      <AppShell.Section grow p="sm" style={{ overflowY: 'auto' }}>
        <RailLinks folded={folded} />
      </AppShell.Section>
      {toasts && <Toasts place="rail" />}
      {!folded && (
        <Box visibleFrom="sm" px="md" pb="sm">
          <DemoBadge />
        </Box>
      )}
      <AppShell.Section p="sm" style={{ borderTop: '1px solid var(--app-line)' }}>
        <AccountMenu onHelp={onHelp} />
      </AppShell.Section>
    </>
  );
}

/** The search parameters do not matter for which page is current. */
const activeOptions = { includeSearch: false };

function RailLinks({ folded }: { folded: boolean }): ReactElement {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  const manages = useManagesSomething();
  // A workspace page belongs to Workspaces; its gateway has its own entry.
  const onWorkspace = useMatchRoute()({ to: '/workspaces/$slug' }) !== false;
  return (
    <ul className="rail-list">
      <RailItem folded={folded} icon="chat" label={shell.nav.chat} link={linkOptions({ to: '/chat', activeOptions })} />
      <RailItem
        folded={folded}
        icon="folder"
        label={shell.nav.projects}
        link={linkOptions({ to: '/projects', activeOptions })}
      />
      <RailItem
        folded={folded}
        icon="prompt"
        label={shell.nav.prompts}
        link={linkOptions({ to: '/prompts', activeOptions })}
      />
      <RailItem folded={folded} icon="run" label={shell.nav.runs} link={linkOptions({ to: '/runs', activeOptions })} />
      <RailItem
        folded={folded}
        icon="link"
        label={shell.nav.integrations}
        link={linkOptions({ to: '/integrations', activeOptions })}
      />
      <RailItem
        folded={folded}
        icon="workspaces"
        label={shell.nav.workspaces}
        link={linkOptions({ to: '/workspaces', activeOptions: { ...activeOptions, exact: true } })}
        {...(onWorkspace ? { 'data-status': 'active' } : {})}
      />
      {current !== undefined && (
        <RailItem
          folded={folded}
          icon="gateway"
          label={shell.nav.gateway}
          link={linkOptions({
            to: '/workspaces/$slug/mcp-gateway',
            params: { slug: current.slug },
            activeOptions,
          })}
        />
      )}
      <RailItem
        folded={folded}
        icon="receipt"
        label={shell.nav.receipts}
        link={linkOptions({ to: '/receipts', activeOptions })}
      />
      {manages === true && (
        <RailItem
          folded={folded}
          icon="bell"
          label={shell.nav.subscriptions}
          link={linkOptions({ to: '/subscriptions', activeOptions })}
        />
      )}
      {managesOrganization(organization) && (
        <RailItem
          folded={folded}
          icon="settings"
          label={shell.nav.settings}
          link={linkOptions({ to: '/organization/settings', activeOptions })}
        />
      )}
    </ul>
  );
}

interface RailItemProps {
  folded: boolean;
  icon: IconName;
  label: string;
  link: LinkProps;
  'data-status'?: 'active';
}

function RailItem({ folded, icon, label, link, ...status }: RailItemProps): ReactElement {
  return (
    <li>
      <RailLink {...link} {...status} title={folded ? label : undefined}>
        <Icon name={icon} />
        <span className="rail-text">{label}</span>
      </RailLink>
    </li>
  );
}
