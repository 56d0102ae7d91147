import type { UploadedFile } from '../chat-client.ts';

export interface DraftFile {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Upload progress, 0 to 1. */
  readonly progress: number;
  readonly uploaded?: UploadedFile;
  readonly problem?: string;
  /** Stops the upload. */
  readonly cancel?: () => void;
}

export interface Draft {
  readonly text: string;
  readonly files: readonly DraftFile[];
  /** Long pasted texts, kept out of the field because laying them out would take seconds. */
  readonly pasted: readonly { readonly key: number; readonly text: string }[];
}
