import { CloseButton, Progress } from '@mantine/core';
import type { ReactElement } from 'react';
import type { FileParts } from '../../../../src/contract/attachments.ts';
import { attachStrings } from '../strings.ts';
import { Icon, type IconName } from '../../../kit/look/icons.tsx';
import { formatSize } from '../../../language/format.ts';

interface FileChipProps {
  name: string;
  text: string;
  icon?: IconName;
  /** The file's address: it is downloaded, never opened as a page. */
  href?: string;
  problem?: string | undefined;
  /** Upload progress, 0 to 1. */
  progress?: number | undefined;
  onRemove?: { label: string; act: () => void };
}

/** Its pages, sheets or slides, if known, and its size. */
export function describeFile({
  size,
  parts,
}: {
  readonly size: number;
  readonly parts?: FileParts | undefined;
}): string {
  return parts === undefined
    ? formatSize(size)
    : `${attachStrings.parts[parts.kind](parts.count)}, ${formatSize(size)}`;
}

export function FileChip({
  name,
  text,
  icon = 'file',
  href,
  problem,
  progress,
  onRemove,
}: FileChipProps): ReactElement {
  return (
    <li className="file-chip" data-failed={problem === undefined ? undefined : true}>
      <Icon name={problem === undefined ? icon : 'alert'} />
      <span className="file-chip-text">
        {href === undefined ? (
          <span className="file-chip-name" dir="auto">
            {name}
          </span>
        ) : (
          <a className="file-chip-name" dir="auto" href={href} download={name}>
            {name}
          </a>
        )}
        <span className="file-chip-note">{problem ?? text}</span>
        {progress !== undefined && <Progress value={progress * 100} size={3} aria-label={text} />}
      </span>
      {onRemove !== undefined && <CloseButton size="sm" aria-label={onRemove.label} onClick={onRemove.act} />}
    </li>
  );
}
