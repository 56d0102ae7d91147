import { Alert, Badge, Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactElement, useId } from 'react';
import type { SettingsPage } from '../../../src/contract/enforcement.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { RailLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { managesOrganization, useSignedIn } from '../../session/organization-context.ts';
import { roleNames } from '../../kit/strings.ts';
import { type Effect, effectOf, EFFECTS } from './page-effect.ts';
import { SETTINGS_PAGES } from './settings-pages.ts';
import { controlNames, settingsStrings as strings } from './strings.ts';

/** Part of the release: it does not change while the page is open. */
const enforcementQuery = api.enforcement.show.queryOptions({ staleTime: Number.POSITIVE_INFINITY });

/** For owners and admins. Everyone else sees why not; the server also refuses each call. */
export function SettingsLayout(): ReactElement {
  const { organization } = useSignedIn();
  const { pathname } = useLocation();
  if (!managesOrganization(organization)) {
    return (
      <>
        <PageHeader title={strings.title} />
        <Alert color="gray" icon={<Icon name="shield" />} title={strings.refusedTitle}>
          {strings.refusedText(organization.name, roleNames[organization.role].toLowerCase())}
        </Alert>
      </>
    );
  }
  return (
    <div className="settings">
      <nav aria-label={strings.rail}>
        <Box visibleFrom="md">
          <Text size="xs" fw={600} c="dimmed" mb="xs" px={10}>
            {strings.title}
          </Text>
          <SettingsLinks />
        </Box>
        <FoldedLinks key={pathname} pathname={pathname} />
      </nav>
      <div style={{ minWidth: 0 }}>
        <EffectLine pathname={pathname} />
        <Outlet />
      </div>
    </div>
  );
}

/** Grouped by what the pages do, once that is known. */
function SettingsLinks(): ReactElement {
  const { data } = useQuery(enforcementQuery);
  const id = useId();
  if (data === undefined) return <LinkList pages={SETTINGS_PAGES} />;
  const groups = EFFECTS.map((effect) => (
    <div key={effect} className="settings-group">
      <Text size="xs" fw={600} c="dimmed" px={10} id={`${id}-${effect}`}>
        {strings.groups[effect]}
      </Text>
      <LinkList
        labelledBy={`${id}-${effect}`}
        pages={SETTINGS_PAGES.filter(({ page }) => effectOf(data.controls, page)?.effect === effect)}
      />
    </div>
  ));
  return <>{groups}</>;
}

function LinkList({
  pages,
  labelledBy,
}: {
  pages: readonly (typeof SETTINGS_PAGES)[number][];
  labelledBy?: string;
}): ReactElement {
  return (
    <ul className="rail-list" aria-labelledby={labelledBy}>
      {pages.map(({ page, to, icon }) => (
        <li key={page}>
          <RailLink to={to} activeOptions={{ includeSearch: false }}>
            <Icon name={icon} />
            {strings.items[page]}
          </RailLink>
        </li>
      ))}
    </ul>
  );
}

/** Nothing is set on these. */
const ONLY_READ: ReadonlySet<SettingsPage> = new Set(['feedback']);

/** Whether what is set on this page acts, above its heading. */
function EffectLine({ pathname }: { pathname: string }): ReactElement | null {
  const { data } = useQuery(enforcementQuery);
  const page = PAGES.find((each) => pathname.startsWith(`/organization/settings/${each}`));
  const found = page === undefined || data === undefined ? undefined : effectOf(data.controls, page);
  if (found === undefined || page === undefined || ONLY_READ.has(page)) return null;
  const { effect, exceptions } = found;
  return (
    <Group gap="xs" mb="xs" className="settings-effect">
      <Badge color={COLORS[effect]}>{strings.effects[effect].badge}</Badge>
      <Text size="xs" c="dimmed">
        {exceptions.length === 0
          ? strings.effects[effect].text
          : strings.effects[effect].except(exceptions.map((control) => controlNames[control] ?? control))}
      </Text>
    </Group>
  );
}

const PAGES: readonly SettingsPage[] = [...SETTINGS_PAGES.map(({ page }) => page), 'compliance'];
const COLORS = { acts: 'pine', stored: 'yellow', placeholder: 'gray' } as const satisfies Record<Effect, string>;

/** On a narrow screen the links are folded, so that the page comes first. */
function FoldedLinks({ pathname }: { pathname: string }): ReactElement {
  const here = SETTINGS_PAGES.find(({ to }) => pathname.startsWith(to));
  return (
    <Box component="details" hiddenFrom="md" className="settings-fold">
      <summary>
        {strings.title}
        {here !== undefined && <span className="settings-here">{strings.items[here.page]}</span>}
      </summary>
      <SettingsLinks />
    </Box>
  );
}
