import { ActionIcon, Anchor, Group, Text } from '@mantine/core';
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { Dialog } from '../../../kit/dialog.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { imageAddress, type ImageFile } from './image-chip.tsx';
import { attachStrings as strings } from '../strings.ts';

interface OpenedImages {
  readonly open: (id: string) => void;
  readonly lightbox: ReactElement | null;
}

/** Shows the images of a message large, one at a time. */
export function useLightbox(images: readonly ImageFile[]): OpenedImages {
  const [opened, setOpened] = useState<string>();
  const at = images.findIndex(({ id }) => id === opened);
  const image = images[at];
  return {
    open: setOpened,
    lightbox:
      image === undefined ? null : (
        <Lightbox
          image={image}
          position={images.length > 1 ? strings.position(at + 1, images.length) : undefined}
          onMove={(step) => setOpened(images[(at + step + images.length) % images.length]?.id)}
          onClose={() => setOpened(undefined)}
        />
      ),
  };
}

interface LightboxProps {
  image: ImageFile;
  /** Undefined for a single image. */
  position: string | undefined;
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

function Lightbox({ image: { id, name }, position, onMove, onClose }: LightboxProps): ReactElement {
  const move = (event: KeyboardEvent): void => {
    const step = position === undefined ? undefined : STEPS[event.key];
    if (step !== undefined) onMove(step);
  };
  return (
    <Dialog onClose={onClose} title={name} size="min(72rem, 94vw)" className="lightbox" onKeyDown={move}>
      <img key={id} src={imageAddress(id)} alt={name} />
      <Group justify="space-between" mt="sm">
        <Group gap="xs">
          {position !== undefined && (
            <>
              <ActionIcon variant="default" aria-label={strings.previous} onClick={() => onMove(-1)}>
                <Icon name="back" />
              </ActionIcon>
              <ActionIcon variant="default" aria-label={strings.next} onClick={() => onMove(1)}>
                <Icon name="chevron" />
              </ActionIcon>
              <Text size="sm" c="dimmed" component="output">
                {position}
              </Text>
            </>
          )}
        </Group>
        <Anchor size="sm" href={`/api/attachments/${encodeURIComponent(id)}`} download={name}>
          {strings.download}
        </Anchor>
      </Group>
    </Dialog>
  );
}
