import { Modal, type ModalProps } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { findFocused, returnFocus } from './return-focus.ts';

/** For a dialog that is mounted only while open. The library returns the focus only from dialogs that stay mounted. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>): ReactElement {
  const [opener] = useState(findFocused);
  useEffect(() => () => returnFocus(opener), [opener]);
  return <Modal {...props} opened returnFocus={false} />;
}
