import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useFoundActions, useOpenedActions } from './found-actions.tsx';
import { matchActions } from './match-actions.ts';
import { meQuery } from '../session/me-query.ts';
import { Icon, type IconName } from '../kit/look/icons.tsx';
import { chatStrings } from '../features/chat/strings.ts';
import { chatImportStrings } from '../features/imports/strings.ts';
import { identity } from '../features/access/identity-strings.ts';
import { runPageStrings } from '../features/runs/page-strings.ts';
import { referenceStrings } from '../features/reference/strings.ts';
import { SETTINGS_PAGES } from '../features/settings/settings-pages.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { shell } from './strings.ts';
import { useSignOut } from './account-menu.tsx';
import {
  managesOrganization,
  useCurrentWorkspace,
  useManagesSomething,
  useSignedIn,
} from '../session/organization-context.ts';

const SEARCH_AFTER_MS = 200;

export const { toggle } = spotlight;

export function CommandPalette({ onHelp }: { onHelp: () => void }): ReactElement {
  const [query, setQuery] = useState('');
  const [sought] = useDebouncedValue(query, SEARCH_AFTER_MS);
  const [wasOpened, setOpened] = useState(false);
  const opened = { group: shell.groups.recent, actions: useOpenedActions(query, wasOpened) };
  // An emptied field searches for nothing at once.
  const { groups, isSearching } = useFoundActions(query.trim() === '' ? '' : sought);
  const found = [opened, ...groups.map((each) => without(each, opened))];
  const names = new Set(found.map(({ group }) => group));
  const count = found.reduce((sum, { actions }) => sum + actions.length, 0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const dialog = field.current?.closest('[role="dialog"]');
    if (count > 0 && dialog !== null && dialog?.querySelector('[data-selected]') === null) selectFirst(field.current);
  }, [count]);
  const isWaiting = isSearching || (query.trim() !== '' && query !== sought);
  return (
    <Spotlight
      // What is found comes last: it arrives later, and must not move what is selected.
      actions={[...useActions(onHelp), ...found]}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpened(true)}
      filter={(text, actions) => matchActions(text, actions, names, opened.group)}
      // `Shortcuts` opens it.
      shortcut={null}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound={isWaiting ? shell.searching : shell.searchEmpty}
      attributes={{ content: { 'aria-label': shell.searchLabel }, actionLabel: { dir: 'auto' } }}
      searchProps={{
        ref: field,
        placeholder: shell.search,
        'aria-label': shell.search,
        dir: 'auto',
        leftSection: <Icon name="search" />,
      }}
    />
  );
}

/** What another group has already is not listed twice. */
function without(group: SpotlightActionGroupData, { actions }: SpotlightActionGroupData): SpotlightActionGroupData {
  const listed = new Set(actions.map(({ id }) => id));
  return { ...group, actions: group.actions.filter(({ id }) => !listed.has(id)) };
}

/** The library selects the first entry when something is typed; what is found arrives later, and it offers no other way. */
function selectFirst(field: HTMLInputElement | null): void {
  field?.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true, cancelable: true }));
}

type Action = SpotlightActionGroupData['actions'][number];

function useActions(onHelp: () => void): SpotlightActionGroupData[] {
  return [
    { group: shell.groups.actions, actions: useStarts() },
    { group: shell.groups.go, actions: [...usePages(), ...useSettingsPages()] },
    { group: shell.groups.workspaces, actions: useWorkspaces() },
    { group: shell.groups.organizations, actions: useOtherOrganizations() },
    { group: shell.groups.other, actions: useOtherActions(onHelp) },
  ];
}

function useStarts(): Action[] {
  const navigate = useNavigate();
  const start = (id: string, label: string, target: NavigateOptions): Action => ({
    id,
    label,
    leftSection: <Icon name="plus" />,
    onClick: () => void navigate(target),
  });
  return [
    start('new-chat', chatStrings.newChat, { to: '/chat' }),
    start('start-run', runPageStrings.start, { to: '/runs', search: { start: '1' } }),
  ];
}

function usePages(): Action[] {
  const { current } = useCurrentWorkspace();
  const manages = useManagesSomething();
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
    page('projects', shell.nav.projects, 'folder', { to: '/projects' }),
    page('imports', chatImportStrings.title, 'archive', { to: '/imports' }),
    page('prompts', shell.nav.prompts, 'prompt', { to: '/prompts' }),
    page('runs', shell.nav.runs, 'run', { to: '/runs' }),
    page('recipes', runPageStrings.recipes, 'run', { to: '/recipes' }),
    page('schedules', runPageStrings.schedules, 'run', { to: '/runs/schedules' }),
    page('environments', runPageStrings.environments, 'run', { to: '/runs/environments' }),
    page('triggers', runPageStrings.triggers, 'run', { to: '/runs/triggers' }),
    page('integrations', shell.nav.integrations, 'link', { to: '/integrations' }),
    page('workspaces', shell.nav.workspaces, 'workspaces', { to: '/workspaces' }),
    ...(gateway === undefined ? [] : [gateway]),
    page('receipts', shell.nav.receipts, 'receipt', { to: '/receipts' }),
    ...(manages === true ? [page('subscriptions', shell.nav.subscriptions, 'bell', { to: '/subscriptions' })] : []),
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
  const scheme = (name: 'light' | 'dark' | 'auto', icon: IconName): Action => ({
    ...action(name, shell.schemes[name], icon, () => setColorScheme(name)),
    description: shell.appearance,
  });
  const newOrganization = action('new-organization', shell.newOrganization, 'plus', () => {
    void navigate({ to: '/organizations/new' });
  });
  return [
    scheme('light', 'sun'),
    scheme('dark', 'moon'),
    scheme('auto', 'auto'),
    ...(me?.organizationsClosed ? [] : [newOrganization]),
    action('shortcuts', shell.shortcuts, 'keyboard', onHelp),
    action('sign-out', identity.signOut, 'leave', leave),
  ];
}
