import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { useCopy } from '../../kit/use-copy.ts';
import { common } from '../../kit/strings.ts';

const SHORT = 10;

/** The start of a hash, with a button to copy all of it. */
export function ShowHash({ hash, copyLabel }: { hash: string; copyLabel: string }): ReactElement {
  const { copied, copy } = useCopy(hash);
  return (
    <span className="hash">
      <code title={hash}>{hash.slice(0, SHORT)}</code>
      <Tooltip label={copied ? common.copied : copyLabel}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={copyLabel} onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} size={14} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden component="output">{copied ? common.copied : ''}</VisuallyHidden>
    </span>
  );
}
