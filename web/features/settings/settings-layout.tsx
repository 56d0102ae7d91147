import { Alert, Box, Text } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { RailLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { managesOrganization, useSignedIn } from '../../session/organization-context.ts';
import { roleNames } from '../../kit/strings.ts';
import { SETTINGS_PAGES } from './settings-pages.ts';
import { settingsStrings as strings } from './strings.ts';

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
        <Outlet />
      </div>
    </div>
  );
}

function SettingsLinks(): ReactElement {
  return (
    <ul className="rail-list">
      {SETTINGS_PAGES.map(({ page, to, icon }) => (
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
