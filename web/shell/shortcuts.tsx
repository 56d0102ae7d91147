import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactElement, useRef } from 'react';
import { shell } from './strings.ts';
import { MOD_KEY } from './platform.ts';
import { useCurrentWorkspace } from '../session/organization-context.ts';

const SEQUENCE_MS = 1_200;

interface ShortcutRow {
  readonly keys: readonly string[];
  readonly text: string;
  readonly sequence?: true;
}

const ROWS: readonly ShortcutRow[] = [
  { keys: [MOD_KEY, 'K'], text: shell.help.palette },
  { keys: ['?'], text: shell.help.help },
  { keys: ['/'], text: shell.help.prompt },
  { keys: ['Esc'], text: shell.help.stop },
  { keys: ['g', 'c'], sequence: true, text: shell.help.chat },
  { keys: ['g', 'b'], sequence: true, text: shell.help.runs },
  { keys: ['g', 'r'], sequence: true, text: shell.help.receipts },
  { keys: ['g', 'i'], sequence: true, text: shell.help.integrations },
  { keys: ['g', 'w'], sequence: true, text: shell.help.workspaces },
  { keys: ['g', 'm'], sequence: true, text: shell.help.gateway },
  { keys: ['g', 'p'], sequence: true, text: shell.help.members },
];

/** Single-letter shortcuts work only outside of fields. */
export function Shortcuts({
  opened,
  onOpen,
  onClose,
}: {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}): ReactElement {
  const navigate = useNavigate();
  const { current } = useCurrentWorkspace();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const afterG = (go: () => void) => (): void => {
    if (performance.now() - pressedAt.current < SEQUENCE_MS) go();
    pressedAt.current = Number.NEGATIVE_INFINITY;
  };
  useHotkeys([
    ['shift+?', onOpen],
    ['?', onOpen],
    ['g', () => (pressedAt.current = performance.now()), { preventDefault: false }],
    ['c', afterG(() => void navigate({ to: '/chat' })), { preventDefault: false }],
    ['b', afterG(() => void navigate({ to: '/runs' })), { preventDefault: false }],
    ['r', afterG(() => void navigate({ to: '/receipts' })), { preventDefault: false }],
    ['i', afterG(() => void navigate({ to: '/integrations' })), { preventDefault: false }],
    ['w', afterG(() => void navigate({ to: '/workspaces' })), { preventDefault: false }],
    ['p', afterG(() => void navigate({ to: '/organization/settings/members' })), { preventDefault: false }],
    [
      'm',
      afterG(
        () =>
          current !== undefined &&
          void navigate({ to: '/workspaces/$slug/mcp-gateway', params: { slug: current.slug } }),
      ),
      { preventDefault: false },
    ],
  ]);
  return (
    <Modal opened={opened} onClose={onClose} title={shell.shortcuts}>
      <Stack gap="sm">
        {ROWS.map(({ keys, text, sequence }) => (
          <Group key={text} justify="space-between" wrap="nowrap">
            <Text size="sm">{text}</Text>
            <Group gap={6} wrap="nowrap">
              {keys.map((key, position) => (
                <Fragment key={key}>
                  {position > 0 && sequence && (
                    <Text size="xs" c="dimmed">
                      {shell.help.between}
                    </Text>
                  )}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
