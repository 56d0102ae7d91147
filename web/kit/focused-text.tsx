import { Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

const takeFocus = (text: HTMLElement | null): void => text?.focus({ preventScroll: true });

/** Says what has come of a form, in its place, and takes the focus that went with it. */
export function FocusedText({ children }: { children: ReactNode }): ReactElement {
  return (
    <Text size="sm" tabIndex={-1} ref={takeFocus} className="quiet-focus">
      {children}
    </Text>
  );
}
