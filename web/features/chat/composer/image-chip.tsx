import { CloseButton, UnstyledButton } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { SHOWN_IMAGES } from '../../../../src/contract/attachments.ts';
import { FileChip } from './file-chip.tsx';
import { attachStrings as strings } from '../strings.ts';

export interface ImageFile {
  readonly id: string;
  readonly name: string;
}

export const isShownImage = ({ type }: { readonly type: string }): boolean => SHOWN_IMAGES.includes(type);

export const imageAddress = (id: string): string => `/api/attachments/${encodeURIComponent(id)}/image`;

interface ImageChipProps {
  image: ImageFile;
  onOpen: (id: string) => void;
  onRemove?: { label: string; act: () => void };
}

/** An attached image, small; opens it large. One that the browser cannot show is listed as a file. */
export function ImageChip({ image: { id, name }, onOpen, onRemove }: ImageChipProps): ReactElement {
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <FileChip
        name={name}
        text={strings.broken}
        href={`/api/attachments/${encodeURIComponent(id)}`}
        {...(onRemove === undefined ? {} : { onRemove })}
      />
    );
  return (
    <li className="image-chip">
      <UnstyledButton aria-label={strings.open(name)} aria-haspopup="dialog" title={name} onClick={() => onOpen(id)}>
        <img
          src={imageAddress(id)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      </UnstyledButton>
      {onRemove !== undefined && (
        <CloseButton className="image-chip-remove" size="sm" aria-label={onRemove.label} onClick={onRemove.act} />
      )}
    </li>
  );
}
