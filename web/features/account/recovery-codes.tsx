import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactElement, useRef } from 'react';
import { CopyAction } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { accountStrings } from './strings.ts';

const { codes: strings } = accountStrings;

/** Shown once, so it closes only by its button. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactElement {
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={strings.recoveryTitle}
    >
      <RecoveryCodeList codes={codes} onDone={onClose} />
    </Dialog>
  );
}

export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactElement {
  const shown = useRef<HTMLPreElement>(null);
  const text = codes.join('\n');
  return (
    <Stack>
      <Text size="sm">{strings.recoveryText}</Text>
      <pre ref={shown} className="code-line" aria-label={strings.recoveryTitle} style={{ margin: 0 }}>
        {text}
      </pre>
      <Group justify="flex-end">
        <CopyAction value={text} source={shown} />
        <Button onClick={onDone}>{strings.kept}</Button>
      </Group>
    </Stack>
  );
}
