// The person's own account, a file for each section.
import { Group, Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import { NotificationSettings } from '../../installed/notification-settings.tsx';
import { LanguageSwitch } from '../../kit/language-switch.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { chatImportStrings } from '../imports/strings.ts';
import { DeleteAccount } from './delete-account.tsx';
import { YourData } from './your-data.tsx';
import { Instructions } from './instructions.tsx';
import { OneTimeCodes } from './one-time-codes.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Section } from './section.tsx';
import { Sessions } from './sessions.tsx';
import { accountStrings as strings } from './strings.ts';

export function AccountPage(): ReactElement {
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="xl" maw="36rem">
        <Profile />
        <ChooseLanguage />
        <Instructions />
        <NotificationSettings />
        <ImportChats />
        <Password />
        <Passkeys />
        <OneTimeCodes />
        <Sessions />
        <GivenAccess />
        <YourData />
        <DeleteAccount />
      </Stack>
    </>
  );
}

function ChooseLanguage(): ReactElement {
  return (
    <Section title={strings.language.title} text={strings.language.text}>
      <Group>
        <LanguageSwitch />
      </Group>
    </Section>
  );
}

function ImportChats(): ReactElement {
  return (
    <Section title={chatImportStrings.accountTitle} text={chatImportStrings.accountText}>
      <Group>
        <ButtonLink to="/imports" variant="default">
          {chatImportStrings.title}
        </ButtonLink>
      </Group>
    </Section>
  );
}

/** Tokens and approved clients are managed where they are made. */
function GivenAccess(): ReactElement {
  const gateway = { to: '/workspaces/$slug/mcp-gateway', params: { slug: 'default' } } as const;
  return (
    <Section title={strings.given.title} text={strings.given.text}>
      <Group>
        <ButtonLink {...gateway} search={{ tab: 'tokens' }} variant="default">
          {strings.given.tokens}
        </ButtonLink>
        <ButtonLink {...gateway} search={{ tab: 'clients' }} variant="default">
          {strings.given.clients}
        </ButtonLink>
      </Group>
    </Section>
  );
}
