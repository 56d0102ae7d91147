import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatchRoute, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { useLiveChanges } from './live.ts';
import { meQuery } from '../session/me-query.ts';
import { HeadStart } from '../kit/head-start.ts';
import { Mark } from '../kit/look/mark.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { shell } from './strings.ts';
import { DemoBadge } from './demo-badge.tsx';
import { onDemand } from '../kit/on-demand.tsx';
import { Notices } from './notices.tsx';
import { CapNotice } from '../features/plan/cap-notice.tsx';
import { useFoldedRail } from '../session/folded-rails.ts';
import { SignedInContext, useSignedIn } from '../session/organization-context.ts';
import { ShutOrganizations } from '../features/access/shut-organizations.tsx';
import { rememberOrganization } from '../session/preferred-organization.ts';
import { PaletteOnDemand } from './palette-on-demand.tsx';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { StopPage } from './status-pages.tsx';

const ClosedPage = onDemand(async () => (await import('../features/account/closed-page.tsx')).ClosedPage);

export function AppLayout(): ReactElement | null {
  const { data: me } = useQuery(meQuery);
  const { org } = useSearch({ from: '/signed/app' });
  const organization = me?.organizations.find(({ slug, id }) => slug === org || id === org);
  useLiveChanges(organization?.needsSecondFactor === true ? undefined : organization?.id, me?.user.id);
  useEffect(() => {
    if (organization !== undefined) rememberOrganization(organization);
  }, [organization]);
  if (me === undefined) return null;
  const [other] = me.organizations;
  if (organization === undefined) {
    return (
      <StopPage title={shell.unknownOrganization.title} text={shell.unknownOrganization.text(org ?? '')}>
        <ShutOrganizations />
        {other !== undefined && (
          <ButtonLink to="/workspaces" search={{ org: other.slug, workspace: undefined }}>
            {shell.unknownOrganization.action(other.name)}
          </ButtonLink>
        )}
      </StopPage>
    );
  }
  if (organization.needsSecondFactor === true)
    return (
      <ClosedPage
        organization={organization}
        others={me.organizations.filter(({ needsSecondFactor }) => needsSecondFactor !== true)}
      />
    );
  return (
    <SignedInContext value={{ user: me.user, organization, organizations: me.organizations, demo: me.demo === true }}>
      <Frame />
    </SignedInContext>
  );
}

const RAIL_PX = { whole: 264, folded: 56 } as const;

/** The navigation beside the page; on narrow screens a head above it, unless the page has a head of its own. */
function Frame(): ReactElement {
  const { opened, opener, open, close, wide, folded, fold } = useNavigation();
  const [helping, help] = useDisclosure(false);
  const isChat = useMatchRoute()({ to: '/chat', fuzzy: true }) !== false;
  const still = useReducedMotion();
  const isRail = folded && wide;
  const start = (
    <>
      <Burger
        ref={opener}
        hiddenFrom="sm"
        opened={opened}
        onClick={open}
        size="sm"
        aria-label={shell.openNavigation}
        aria-expanded={opened}
      />
      {(folded || !wide) && <DemoBadge />}
    </>
  );
  return (
    <>
      <a className="skip-link" href={isChat ? '#conversation' : '#content'}>
        {isChat ? shell.skipToConversation : shell.skipToContent}
      </a>
      <AppShell
        layout="alt"
        padding={0}
        transitionDuration={still ? 0 : 200}
        header={{ height: isChat ? 0 : { base: 56, sm: 0 } }}
        navbar={{
          width: { base: RAIL_PX.whole, sm: folded ? RAIL_PX.folded : RAIL_PX.whole },
          breakpoint: 'sm',
          collapsed: { mobile: !opened },
        }}
      >
        {!isChat && <NarrowHead start={start} />}
        <AppShell.Navbar
          className="rail"
          aria-label={shell.navigation}
          data-closed={opened ? undefined : true}
          data-folded={isRail ? true : undefined}
        >
          <Rail
            opened={opened}
            folded={isRail}
            toasts={wide && !folded}
            onFold={fold}
            onClose={close}
            onHelp={help.open}
          />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className="main">
          <Notices toasts={folded || !wide} />
          <CapNotice />
          <HeadStart value={isChat ? start : null}>
            <div className="page">
              <Outlet />
            </div>
          </HeadStart>
        </AppShell.Main>
      </AppShell>
      <PaletteOnDemand onHelp={help.open} />
      <Shortcuts
        opened={helping}
        onOpen={help.open}
        onClose={help.close}
        onFold={wide ? fold : opened ? close : open}
      />
    </>
  );
}

/** Folded or whole where it has room beside the page; otherwise opened over it from a button, and closed. */
function useNavigation() {
  const [opened, { open, close }] = useDisclosure(false);
  const opener = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const [folded, fold] = useFoldedRail('navigation');
  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close]);
  const closeByHand = (): void => {
    close();
    opener.current?.focus();
  };
  return { opened, opener, open, close: closeByHand, wide, folded, fold };
}

function NarrowHead({ start }: { start: ReactElement }): ReactElement {
  const { organization } = useSignedIn();
  return (
    <AppShell.Header hiddenFrom="sm" px="md" className="rail">
      <Group h="100%" gap="sm" wrap="nowrap">
        {start}
        <Mark size={24} />
        <Text fw={600} truncate dir="auto">
          {organization.name}
        </Text>
      </Group>
    </AppShell.Header>
  );
}
