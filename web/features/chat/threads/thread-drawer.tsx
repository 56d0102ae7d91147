import { type ReactElement, useState } from 'react';
import { onDemand } from '../../../kit/on-demand.tsx';
import type { DrawerProps } from './drawer-frame.tsx';

const DrawerFrame = onDemand(async () => (await import('./drawer-frame.tsx')).DrawerFrame);

/** The list of chats on narrow screens; loaded when it is first opened, and kept from then on. */
export function ThreadDrawer(props: DrawerProps): ReactElement | null {
  const [wasOpened, setOpened] = useState(false);
  if (props.opened && !wasOpened) setOpened(true);
  return wasOpened ? <DrawerFrame {...props} /> : null;
}
