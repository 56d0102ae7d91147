import { Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

const takeFocus = (text: HTMLElement | null): void => text?.focus({ preventScroll: true });

/** The result of a form, in its place; takes over the focus. */
export function FocusedText({ children }: { children: ReactNode }): ReactElement {
  return (
    <Text size="sm" tabIndex={-1} ref={takeFocus} className="quiet-focus">
      {children}
    </Text>
  );
}
