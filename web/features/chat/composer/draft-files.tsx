import type { ReactElement } from 'react';
import { attachStrings, composerStrings as strings } from '../strings.ts';
import type { Draft } from './draft.ts';
import { changeDraft } from './drafts.ts';
import { describeFile, FileChip } from './file-chip.tsx';
import { ImageChip, isShownImage } from './image-chip.tsx';
import { useLightbox } from './lightbox.tsx';
import { detach } from './use-attach.ts';

/** Once a file has arrived, the server reads it, which takes a moment for a large document. */
const describeUpload = (progress: number): string =>
  progress < 1 ? strings.uploading(Math.round(progress * 100)) : strings.readingFile;

/** The attachments of the next message. */
export function DraftFiles({ chat, draft: { files, pasted } }: { chat: string; draft: Draft }): ReactElement | null {
  const images = files.flatMap(({ uploaded }) => (uploaded !== undefined && isShownImage(uploaded) ? uploaded : []));
  const { open, lightbox } = useLightbox(images);
  if (files.length + pasted.length === 0) return null;
  return (
    <>
      <ul className="file-chips" aria-label={strings.attachments}>
        {files.map((file) => {
          const onRemove = { label: strings.removeOf(file.name), act: () => detach(chat, file) };
          if (file.uploaded !== undefined && isShownImage(file.uploaded))
            return <ImageChip key={file.key} image={file.uploaded} onOpen={open} onRemove={onRemove} />;
          const sending = file.uploaded === undefined && file.problem === undefined;
          return (
            <FileChip
              key={file.key}
              name={file.name}
              text={sending ? describeUpload(file.progress) : describeFile(file.uploaded ?? file)}
              problem={file.problem}
              progress={sending ? file.progress : undefined}
              onRemove={onRemove}
            />
          );
        })}
        {pasted.map(({ key, text }) => (
          <FileChip
            key={`pasted-${key}`}
            icon="copy"
            name={strings.pasted}
            text={strings.characters(text.length)}
            onRemove={{
              label: strings.removeOf(strings.pasted),
              act: () =>
                changeDraft(chat, (draft) => ({ ...draft, pasted: draft.pasted.filter((each) => each.key !== key) })),
            }}
          />
        ))}
      </ul>
      {files.length > 0 && (
        <p className="attach-limits">
          {attachStrings.count(files.length)} · {attachStrings.limits}
        </p>
      )}
      {lightbox}
    </>
  );
}
