import type { ReactElement } from 'react';
import type { UploadedFile } from '../chat-client.ts';
import { describeFile, FileChip } from '../composer/file-chip.tsx';
import { ImageChip, isShownImage } from '../composer/image-chip.tsx';
import { useLightbox } from '../composer/lightbox.tsx';
import { composerStrings as strings } from '../strings.ts';

/** The attachments of a message: images to look at, everything else to download. */
export function SentFiles({ files }: { files: readonly UploadedFile[] }): ReactElement | null {
  const { open, lightbox } = useLightbox(files.filter(isShownImage));
  if (files.length === 0) return null;
  return (
    <>
      <ul className="file-chips" aria-label={strings.attachments}>
        {files.map((file) =>
          isShownImage(file) ? (
            <ImageChip key={file.id} image={file} onOpen={open} />
          ) : (
            <FileChip
              key={file.id}
              name={file.name}
              text={describeFile(file)}
              href={`/api/attachments/${encodeURIComponent(file.id)}`}
            />
          ),
        )}
      </ul>
      {lightbox}
    </>
  );
}
