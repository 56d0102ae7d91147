import { Button, CopyButton, Group, Input, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useId } from 'react';
import { Icon } from '../look/icons.tsx';
import { common } from '../strings/common.ts';

/** A value to take elsewhere, shown whole, with a button that copies it. */
export function CopyField({ label, description, value }: { label: string; description?: string; value: string }): ReactElement {
  const id = useId();
  return (
    <Input.Wrapper label={label} description={description} labelElement="div" labelProps={{ id }} inputWrapperOrder={['label', 'description', 'input']}>
      <Group gap="xs" mt={6} wrap="nowrap">
        <code className="code-line" aria-labelledby={id} style={{ flex: 1, minWidth: 0 }}>
          {value}
        </code>
        <CopyAction value={value} />
      </Group>
    </Input.Wrapper>
  );
}

export function CopyAction({ value, label = common.copy, size }: { value: string; label?: string; size?: string }): ReactElement {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <>
          <Button variant="default" size={size ?? 'sm'} onClick={copy} leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />} style={{ flex: 'none' }}>
            {copied ? common.copied : label}
          </Button>
          <VisuallyHidden component="output">{copied ? common.copied : ''}</VisuallyHidden>
        </>
      )}
    </CopyButton>
  );
}
