import type { ReactElement } from 'react';
import { composerStrings as strings } from './strings.ts';
import type { Draft } from './draft.ts';
import { changeDraft } from './drafts.ts';
import { FileChip } from './file-chip.tsx';
import { showSize } from '../../kit/show-size.ts';
import { detach } from './use-attach.ts';

/** The attachments of the next message. */
export function DraftFiles({ chat, draft: { files, pasted } }: { chat: string; draft: Draft }): ReactElement | null {
  if (files.length + pasted.length === 0) return null;
  return (
    <ul className="file-chips" aria-label={strings.attachments}>
      {files.map((file) => {
        const sending = file.uploaded === undefined && file.problem === undefined;
        return (
          <FileChip
            key={file.key}
            name={file.name}
            text={sending ? strings.uploading(Math.round(file.progress * 100)) : showSize(file.size)}
            problem={file.problem}
            progress={sending ? file.progress : undefined}
            onRemove={{ label: strings.removeOf(file.name), act: () => detach(chat, file) }}
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
  );
}
