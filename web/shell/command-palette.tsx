import '@mantine/spotlight/styles.css';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { meQuery } from '../session/queries.ts';
import { Icon, type IconName } from '../kit/look/icons.tsx';
import { identity } from '../features/access/identity-strings.ts';
import { runStrings } from '../features/runs/strings.ts';
import { referenceStrings } from '../features/reference/strings.ts';
import { SETTINGS_PAGES } from '../features/settings/settings-pages.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { shell } from './strings.ts';
import { useSignOut } from './account-menu.tsx';
import { managesOrganization, useCurrentWorkspace, useSignedIn } from '../session/organization-context.ts';

/** Opens with Ctrl+K or Cmd+K, also while typing. */
export function CommandPalette({ onHelp }: { onHelp: () => void }): ReactElement {
  return (
    <Spotlight
      actions={useActions(onHelp)}
      shortcut="mod + K"
      tagsToIgnore={[]}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound={shell.searchEmpty}
      attributes={{ content: { 'aria-label': shell.searchLabel } }}
      searchProps={{ placeholder: shell.search, 'aria-label': shell.search, leftSection: <Icon name="search" /> }}
    />
  );
}

type Action = SpotlightActionGroupData['actions'][number];

function useActions(onHelp: () => void): SpotlightActionGroupData[] {
  return [
    { group: shell.groups.go, actions: [...usePages(), ...useSettingsPages()] },
    { group: shell.groups.workspaces, actions: useWorkspaces() },
    { group: shell.groups.organizations, actions: useOtherOrganizations() },
    { group: shell.groups.other, actions: useOtherActions(onHelp) },
  ];
}

function usePages(): Action[] {
  const { current } = useCurrentWorkspace();
  const navigate = useNavigate();
  const page = (id: string, label: string, icon: IconName, target: NavigateOptions): Action => ({
    id,
    label,
    leftSection: <Icon name={icon} />,
    onClick: () => void navigate(target),
  });
  const gateway = current && {
    ...page('gateway', shell.nav.gateway, 'gateway', {
      to: '/workspaces/$slug/mcp-gateway',
      params: { slug: current.slug },
    }),
    description: current.name,
  };
  return [
    page('chat', shell.nav.chat, 'chat', { to: '/chat' }),
    page('runs', shell.nav.runs, 'run', { to: '/runs' }),
    page('start-run', runStrings.start, 'plus', { to: '/runs', search: { start: '1' } }),
    page('integrations', shell.nav.integrations, 'link', { to: '/integrations' }),
    page('workspaces', shell.nav.workspaces, 'workspaces', { to: '/workspaces' }),
    ...(gateway === undefined ? [] : [gateway]),
    page('receipts', shell.nav.receipts, 'receipt', { to: '/receipts' }),
    page('usage', shell.nav.usage, 'spending', { to: '/usage' }),
    page('api-reference', referenceStrings.title, 'globe', { to: '/docs/api' }),
  ];
}

function useSettingsPages(): Action[] {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  if (!managesOrganization(organization)) return [];
  return SETTINGS_PAGES.map(({ page, to, icon }) => ({
    id: page,
    label: settingsStrings.items[page],
    description: settingsStrings.title,
    leftSection: <Icon name={icon} />,
    onClick: () => void navigate({ to }),
  }));
}

function useWorkspaces(): Action[] {
  const { workspaces } = useCurrentWorkspace();
  const navigate = useNavigate();
  return workspaces.map(({ id, slug, name }) => ({
    id,
    label: name,
    leftSection: <Icon name="chevron" />,
    onClick: () => void navigate({ to: '/workspaces/$slug', params: { slug }, search: { workspace: slug } }),
  }));
}

function useOtherOrganizations(): Action[] {
  const { organization, organizations } = useSignedIn();
  const navigate = useNavigate();
  return organizations
    .filter(({ id }) => id !== organization.id)
    .map(({ id, slug, name }) => ({
      id,
      label: name,
      leftSection: <Icon name="chevron" />,
      onClick: () => void navigate({ to: '/workspaces', search: { org: slug, workspace: undefined } }),
    }));
}

function useOtherActions(onHelp: () => void): Action[] {
  const { setColorScheme } = useMantineColorScheme();
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  const leave = useSignOut();
  const action = (id: string, label: string, icon: IconName, onClick: () => void): Action => ({
    id,
    label,
    leftSection: <Icon name={icon} />,
    onClick,
  });
  const scheme = (name: 'light' | 'dark', icon: IconName): Action => ({
    ...action(name, shell.schemes[name], icon, () => setColorScheme(name)),
    description: shell.appearance,
  });
  const newOrganization = action('new-organization', shell.newOrganization, 'plus', () => {
    void navigate({ to: '/organizations/new' });
  });
  return [
    scheme('light', 'sun'),
    scheme('dark', 'moon'),
    ...(me?.organizationsClosed ? [] : [newOrganization]),
    action('shortcuts', shell.shortcuts, 'keyboard', onHelp),
    action('sign-out', identity.signOut, 'leave', leave),
  ];
}
