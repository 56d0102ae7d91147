import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { useLiveChanges } from './live.ts';
import { meQuery } from '../session/me-query.ts';
import { Mark } from '../kit/look/mark.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { shell } from './strings.ts';
import { DemoBadge } from './demo-badge.tsx';
import { Notices } from './notices.tsx';
import { CapNotice } from '../features/plan/cap-notice.tsx';
import { SignedInContext } from '../session/organization-context.ts';
import { rememberOrganization } from '../session/preferred-organization.ts';
import { PaletteOnDemand } from './palette-on-demand.tsx';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { StopPage } from './status-pages.tsx';

export function AppLayout(): ReactElement | null {
  const { data: me } = useQuery(meQuery);
  const { org } = useSearch({ from: '/signed/app' });
  const organization = me?.organizations.find(({ slug, id }) => slug === org || id === org);
  const [opened, { open, close }] = useDisclosure(false);
  const opener = useRef<HTMLButtonElement>(null);
  const [helping, help] = useDisclosure(false);
  const router = useRouter();
  /** Whether the rail is always on the screen. */
  const wide = useMediaQuery('(min-width: 48em)') ?? true;
  useLiveChanges(organization?.id);

  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close]);
  useEffect(() => {
    if (organization !== undefined) rememberOrganization(organization);
  }, [organization]);

  const closeByHand = (): void => {
    close();
    opener.current?.focus();
  };
  if (me === undefined) return null;
  const [other] = me.organizations;
  if (organization === undefined) {
    return (
      <StopPage title={shell.unknownOrganization.title} text={shell.unknownOrganization.text(org ?? '')}>
        {other !== undefined && (
          <ButtonLink to="/workspaces" search={{ org: other.slug, workspace: undefined }}>
            {shell.unknownOrganization.action(other.name)}
          </ButtonLink>
        )}
      </StopPage>
    );
  }
  return (
    <SignedInContext value={{ user: me.user, organization, organizations: me.organizations, demo: me.demo === true }}>
      <a className="skip-link" href="#content">
        {shell.skipToContent}
      </a>
      <AppShell
        layout="alt"
        padding={0}
        header={{ height: { base: 56, sm: 0 } }}
        navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      >
        <AppShell.Header hiddenFrom="sm" px="md" className="rail">
          <Group h="100%" gap="sm">
            <Burger
              ref={opener}
              opened={opened}
              onClick={open}
              size="sm"
              aria-label={shell.openNavigation}
              aria-expanded={opened}
            />
            <Mark size={24} />
            <Text fw={600} truncate>
              {organization.name}
            </Text>
            <DemoBadge />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className="rail" aria-label={shell.navigation} data-closed={opened ? undefined : true}>
          <Rail opened={opened} toasts={wide} onClose={closeByHand} onHelp={help.open} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className="main">
          <Notices toasts={!wide} />
          <CapNotice />
          <div className="page">
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
      <PaletteOnDemand onHelp={help.open} />
      <Shortcuts opened={helping} onOpen={help.open} onClose={help.close} />
    </SignedInContext>
  );
}
