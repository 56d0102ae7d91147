import { useCallback } from 'react';
import { uploadAttachment } from '../chat-client.ts';
import { readFault } from '../../../api/fault.ts';
import type { DraftFile } from './draft.ts';
import { findFileProblem } from './find-file-problem.ts';
import { changeDraft, changeFile, getDraft } from './drafts.ts';

let keys = 0;

/** Uploads files as soon as they are added, so that they are ready when the message is sent. */
export function useAttach(chat: string, organization: string): (files: readonly File[]) => void {
  return useCallback(
    (files) => {
      for (const file of files) {
        const key = ++keys;
        const problem = findFileProblem(file, getDraft(chat).files.length);
        const added: DraftFile = {
          key,
          name: file.name,
          size: file.size,
          progress: 0,
          ...(problem === undefined ? {} : { problem }),
        };
        changeDraft(chat, (draft) => ({ ...draft, files: [...draft.files, added] }));
        if (problem === undefined) send(organization, key, file);
      }
    },
    [chat, organization],
  );
}

function send(organization: string, key: number, file: File): void {
  const note = (known: Partial<DraftFile>): void => changeFile(key, known);
  const { done, cancel } = uploadAttachment(organization, file, (progress) => note({ progress }));
  note({ cancel });
  done.then(
    (uploaded) => note({ uploaded, progress: 1 }),
    (error: unknown) => note({ problem: readFault(error).text }),
  );
}

export function detach(chat: string, file: DraftFile): void {
  if (file.uploaded === undefined) file.cancel?.();
  changeDraft(chat, (draft) => ({ ...draft, files: draft.files.filter(({ key }) => key !== file.key) }));
}
