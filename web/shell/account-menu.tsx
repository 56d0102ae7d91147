import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { isUnauthenticated } from '../api/fault.ts';
import { signOut } from '../api/identity.ts';
import { forgetDrafts } from '../features/chat/composer/drafts.ts';
import { Icon } from '../kit/look/icons.tsx';
import { Monogram } from '../kit/monogram.tsx';
import { toastFault } from '../kit/toasts.tsx';
import { accountStrings } from '../features/account/strings.ts';
import { identity } from '../features/access/identity-strings.ts';
import { shell } from './strings.ts';
import { useSignedIn } from '../session/organization-context.ts';
import { SwitcherTarget } from './switcher-target.tsx';

const SCHEMES = [
  { value: 'light', icon: 'sun' },
  { value: 'dark', icon: 'moon' },
  { value: 'auto', icon: 'auto' },
] as const;

export function AccountMenu({ onHelp }: { onHelp: () => void }): ReactElement {
  const { user } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const navigate = useNavigate();
  return (
    <Menu position="top-start" width={248}>
      <SwitcherTarget
        mark={<Monogram name={user.name} quiet />}
        purpose={shell.account}
        name={user.name}
        detail={user.email}
      />
      <Menu.Dropdown>
        <Menu.Label>{shell.appearance}</Menu.Label>
        {SCHEMES.map(({ value, icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} size={16} />}
            rightSection={colorScheme === value ? <Icon name="check" size={16} /> : undefined}
            aria-current={colorScheme === value}
            onClick={() => setColorScheme(value)}
          >
            {shell.schemes[value]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="spending" size={16} />} onClick={() => void navigate({ to: '/usage' })}>
          {shell.nav.usage}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => void navigate({ to: '/account' })}>
          {accountStrings.title}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" size={16} />} onClick={onHelp}>
          {shell.shortcuts}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={leave}>
          {identity.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Reloads the page, so that nothing of this person stays in memory for the next. */
export function useSignOut(): () => void {
  const done = (isInAtProvider: boolean): void => {
    forgetDrafts();
    window.location.assign(isInAtProvider ? '/sign-in?out=1' : '/sign-in');
  };
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: done,
    onError: (error) => (isUnauthenticated(error) ? done(false) : toastFault(error)),
  });
  return () => mutate();
}
