import { Drawer, Group } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { common } from '../../../kit/strings.ts';
import { threadStrings as strings } from '../strings.ts';

export interface DrawerProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The list of chats on narrow screens. Without the library's header, which would be a second banner landmark. */
export function DrawerFrame({ opened, onClose, children }: DrawerProps): ReactElement {
  // The library remembers where the focus was only if it sees the drawer open.
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setShown(opened));
    return () => cancelAnimationFrame(frame);
  }, [opened]);
  return (
    <Drawer.Root opened={shown} onClose={onClose} size="20rem">
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
