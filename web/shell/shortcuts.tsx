import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { type NavigateOptions, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactElement } from 'react';
import { KEYS, type KeyGroup, type KeyName } from '../kit/keys/key-table.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { useCurrentWorkspace } from '../session/organization-context.ts';
import { capsOf } from './key-caps.ts';
import { togglePalette } from './palette-on-demand.tsx';
import { shell } from './strings.ts';

interface ShortcutsProps {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
  onFold: () => void;
}

/** The keys that work on every page, and the list of all keys. */
export function Shortcuts({ opened, onOpen, onClose, onFold }: ShortcutsProps): ReactElement {
  const navigate = useNavigate();
  const { current } = useCurrentWorkspace();
  const go = (target: NavigateOptions) => (): void => void navigate(target);
  // In a chat the page itself starts a new one: it has something to leave.
  const inChat = useMatchRoute()({ to: '/chat', fuzzy: true }) !== false;
  useKeys({
    palette: () => void togglePalette(),
    help: onOpen,
    foldNavigation: onFold,
    newChat: inChat ? undefined : go({ to: '/chat', state: { keepFocus: true } }),
    chat: go({ to: '/chat' }),
    runs: go({ to: '/runs' }),
    receipts: go({ to: '/receipts' }),
    integrations: go({ to: '/integrations' }),
    workspaces: go({ to: '/workspaces' }),
    members: go({ to: '/organization/settings/members' }),
    gateway: current && go({ to: '/workspaces/$slug/mcp-gateway', params: { slug: current.slug } }),
  });
  return (
    <Modal opened={opened} onClose={onClose} title={shell.shortcuts} size="lg">
      <Stack gap="lg">
        {GROUPS.map((group) => (
          <section key={group} aria-label={shell.keyGroups[group]}>
            <Title order={3} size="sm" mb="xs">
              {shell.keyGroups[group]}
            </Title>
            <Stack gap={6} component="dl" m={0}>
              {NAMES.filter((name) => KEYS[name].group === group).map((name) => (
                <Group key={name} justify="space-between" wrap="nowrap">
                  <Text component="dt" size="sm">
                    {shell.help[name]}
                  </Text>
                  <ShowKeys name={name} />
                </Group>
              ))}
            </Stack>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}

const NAMES = Object.keys(KEYS) as KeyName[];
const GROUPS = Object.keys(shell.keyGroups) as KeyGroup[];

function ShowKeys({ name }: { name: KeyName }): ReactElement {
  return (
    <Group component="dd" gap={6} m={0} justify="flex-end">
      {capsOf(name).map((steps, way) =>
        steps.map((step, position) => (
          <Fragment key={step.join()}>
            {(way > 0 || position > 0) && (
              <Text size="xs" c="dimmed">
                {position > 0 ? shell.keysThen : shell.keysOr}
              </Text>
            )}
            <Group gap={3} wrap="nowrap">
              {step.map((cap) => (
                <Kbd key={cap}>{cap}</Kbd>
              ))}
            </Group>
          </Fragment>
        )),
      )}
    </Group>
  );
}
