import { Button, Group, Input, VisuallyHidden } from '@mantine/core';
import { type ReactElement, type RefObject, useId, useRef } from 'react';
import { Icon } from './look/icons.tsx';
import { common } from './strings.ts';
import { useCopy } from './use-copy.ts';

/** A value with a copy button. */
export function CopyField({
  label,
  description,
  value,
}: {
  label: string;
  description?: string;
  value: string;
}): ReactElement {
  const id = useId();
  const shown = useRef<HTMLElement>(null);
  return (
    <Input.Wrapper
      label={label}
      description={description}
      labelElement="div"
      labelProps={{ id }}
      inputWrapperOrder={['label', 'description', 'input']}
    >
      <Group gap="xs" mt={6} wrap="nowrap">
        <code ref={shown} className="code-line" aria-labelledby={id} style={{ flex: 1, minWidth: 0 }}>
          {value}
        </code>
        <CopyAction value={value} source={shown} />
      </Group>
    </Input.Wrapper>
  );
}

interface CopyActionProps {
  value: string;
  label?: string;
  size?: string;
  /** The element with the value, selected if the browser blocks copying. */
  source?: RefObject<Element | null>;
}

export function CopyAction({ value, label = common.copy, size, source }: CopyActionProps): ReactElement {
  const { copied, copy } = useCopy(value, source);
  return (
    <>
      <Button
        variant="default"
        size={size ?? 'sm'}
        onClick={copy}
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        style={{ flex: 'none' }}
      >
        {copied ? common.copied : label}
      </Button>
      <VisuallyHidden component="output">{copied ? common.copied : ''}</VisuallyHidden>
    </>
  );
}
