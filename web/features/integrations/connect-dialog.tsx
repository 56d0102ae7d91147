import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { readFault } from '../../api/fault.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { CopyAction } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { common } from '../../kit/strings.ts';
import { connectingStrings as strings } from './strings.ts';
import { notConfiguredText } from './not-configured.tsx';
import type { WindowEnd } from './open-window.ts';

interface ConnectSession {
  readonly connectLink: string;
  readonly expiresAt: string;
  /** The browser blocked the window. */
  readonly blocked: boolean;
}

interface ConnectDialogProps {
  app: string;
  session: ConnectSession | undefined;
  /** How the window ended if nothing was connected. */
  ended: WindowEnd | undefined;
  error: unknown;
  onAgain: () => void;
  onClose: () => void;
}

/** Open while the person authorizes in another window. Closing it only stops waiting. */
export function ConnectDialog({ app, session, ended, error, onAgain, onClose }: ConnectDialogProps): ReactElement {
  const expired = useExpired(session?.expiresAt);
  const problem = error === null ? (expired ? strings.expired : ended && strings[ended](app)) : explain(error);
  return (
    <Dialog onClose={onClose} title={strings.title(app)} closeOnClickOutside={false}>
      <Stack>
        <FormProblem text={problem} />
        {problem === undefined && (
          <Text size="sm" component="output">
            {session === undefined ? strings.opening : session.blocked ? strings.blocked : strings.waiting}
          </Text>
        )}
        {session !== undefined && problem === undefined && (
          <ConnectLink link={session.connectLink} blocked={session.blocked} />
        )}
        <Group justify="space-between" mt="xs">
          <Group gap="xs">
            {problem === undefined && (
              <>
                <Loader size="xs" aria-hidden="true" />
                <Text size="sm" c="dimmed">
                  {strings.state(app)}
                </Text>
              </>
            )}
          </Group>
          <Group gap="sm">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            {problem !== undefined && <Button onClick={onAgain}>{expired ? strings.newLink : common.tryAgain}</Button>}
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

function ConnectLink({ link, blocked }: { link: string; blocked: boolean }): ReactElement {
  return (
    <>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={strings.link}
          description={strings.linkText}
          value={link}
          readOnly
          flex={1}
          classNames={{ input: 'mono-input' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyAction value={link} />
      </Group>
      <div>
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          variant={blocked ? 'filled' : 'default'}
          leftSection={<Icon name="link" size={16} />}
          data-autofocus={blocked ? true : undefined}
        >
          {blocked ? strings.open : strings.openAgain}
        </Button>
      </div>
    </>
  );
}

function useExpired(at: string | undefined): boolean {
  const [past, setPast] = useState<string>();
  useEffect(() => {
    if (at === undefined) return undefined;
    const timer = setTimeout(() => setPast(at), Math.max(0, Date.parse(at) - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return at !== undefined && past === at;
}

function explain(error: unknown): string {
  const { code, text } = readFault(error);
  return code === 'integrations_not_configured' ? notConfiguredText() : text;
}
