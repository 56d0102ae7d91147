import { Modal, type ModalProps } from '@mantine/core';
import type { ReactElement } from 'react';

export function DialogFrame(props: ModalProps): ReactElement {
  return <Modal {...props} />;
}
