import '@mantine/spotlight/styles.css';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { meQuery } from '../session/queries.ts';
import { Icon } from '../kit/look/icons.tsx';
import { identity } from '../features/access/identity-strings.ts';
import { runStrings } from '../features/runs/strings.ts';
import { referenceStrings } from '../features/reference/strings.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { shell } from './strings.ts';
import { useSignOut } from './account-menu.tsx';
import { managesOrganization, useStanding } from '../session/organization-context.ts';
import { useCurrentWorkspace } from '../session/use-current-workspace.ts';

const SETTINGS_PAGES = [
  { page: 'members', to: '/organization/settings/members', icon: 'people' },
  { page: 'byok', to: '/organization/settings/byok', icon: 'key' },
  { page: 'models', to: '/organization/settings/models', icon: 'models' },
  { page: 'guardrails', to: '/organization/settings/guardrails', icon: 'shield' },
  { page: 'policies', to: '/organization/settings/policies', icon: 'policies' },
  { page: 'tools', to: '/organization/settings/tools', icon: 'tools' },
  { page: 'plan', to: '/organization/settings/plan', icon: 'chart' },
  { page: 'domains', to: '/organization/settings/domains', icon: 'globe' },
  { page: 'sso', to: '/organization/settings/sso', icon: 'signIn' },
  { page: 'directory', to: '/organization/settings/directory', icon: 'directory' },
] as const;

/** Opens anywhere with Ctrl or Cmd and K, also while typing. */
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

function useActions(onHelp: () => void): SpotlightActionGroupData[] {
  const { organization, organizations } = useStanding();
  const { workspaces, current } = useCurrentWorkspace();
  const { setColorScheme } = useMantineColorScheme();
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  const leave = useSignOut();
  const settings = managesOrganization(organization) ? SETTINGS_PAGES : [];
  return [
    {
      group: shell.groups.go,
      actions: [
        {
          id: 'chat',
          label: shell.nav.chat,
          leftSection: <Icon name="chat" />,
          onClick: () => void navigate({ to: '/chat' }),
        },
        {
          id: 'runs',
          label: shell.nav.runs,
          leftSection: <Icon name="run" />,
          onClick: () => void navigate({ to: '/runs' }),
        },
        {
          id: 'start-run',
          label: runStrings.start,
          leftSection: <Icon name="plus" />,
          onClick: () => void navigate({ to: '/runs', search: { start: '1' } }),
        },
        {
          id: 'integrations',
          label: shell.nav.integrations,
          leftSection: <Icon name="link" />,
          onClick: () => void navigate({ to: '/integrations' }),
        },
        {
          id: 'workspaces',
          label: shell.nav.workspaces,
          leftSection: <Icon name="workspaces" />,
          onClick: () => void navigate({ to: '/workspaces' }),
        },
        ...(current === undefined
          ? []
          : [
              {
                id: 'gateway',
                label: shell.nav.gateway,
                description: current.name,
                leftSection: <Icon name="gateway" />,
                onClick: () => void navigate({ to: '/workspaces/$slug/mcp-gateway', params: { slug: current.slug } }),
              },
            ]),
        {
          id: 'receipts',
          label: shell.nav.receipts,
          leftSection: <Icon name="receipt" />,
          onClick: () => void navigate({ to: '/receipts' }),
        },
        {
          id: 'api-reference',
          label: referenceStrings.title,
          leftSection: <Icon name="globe" />,
          onClick: () => void navigate({ to: '/docs/api' }),
        },
        ...settings.map(({ page, to, icon }) => ({
          id: page,
          label: settingsStrings.items[page],
          description: settingsStrings.title,
          leftSection: <Icon name={icon} />,
          onClick: () => void navigate({ to }),
        })),
      ],
    },
    {
      group: shell.groups.workspaces,
      actions: workspaces.map(({ id, slug, name }) => ({
        id,
        label: name,
        leftSection: <Icon name="chevron" />,
        onClick: () => void navigate({ to: '/workspaces/$slug', params: { slug }, search: { workspace: slug } }),
      })),
    },
    {
      group: shell.groups.organizations,
      actions: organizations
        .filter(({ id }) => id !== organization.id)
        .map(({ id, slug, name }) => ({
          id,
          label: name,
          leftSection: <Icon name="chevron" />,
          onClick: () => void navigate({ to: '/workspaces', search: { org: slug, workspace: undefined } }),
        })),
    },
    {
      group: shell.groups.other,
      actions: [
        {
          id: 'light',
          label: shell.schemes.light,
          description: shell.appearance,
          leftSection: <Icon name="sun" />,
          onClick: () => setColorScheme('light'),
        },
        {
          id: 'dark',
          label: shell.schemes.dark,
          description: shell.appearance,
          leftSection: <Icon name="moon" />,
          onClick: () => setColorScheme('dark'),
        },
        ...(me?.organizationsClosed
          ? []
          : [
              {
                id: 'new-organization',
                label: shell.newOrganization,
                leftSection: <Icon name="plus" />,
                onClick: () => void navigate({ to: '/organizations/new' }),
              },
            ]),
        { id: 'shortcuts', label: shell.shortcuts, leftSection: <Icon name="keyboard" />, onClick: onHelp },
        { id: 'sign-out', label: identity.signOut, leftSection: <Icon name="leave" />, onClick: leave },
      ],
    },
  ];
}
