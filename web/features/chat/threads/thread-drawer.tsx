import { Drawer, Group } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { common } from '../../../kit/strings.ts';
import { threadStrings as strings } from '../strings.ts';

/** The list of chats on narrow screens. Without the library's header, which would be a second banner landmark. */
export function ThreadDrawer({
  opened,
  onClose,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactElement {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size="20rem">
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body className="chat-drawer">
          <Group justify="space-between" p="sm" pb={0}>
            <Drawer.Title>{strings.list}</Drawer.Title>
            <Drawer.CloseButton aria-label={common.close} />
          </Group>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
