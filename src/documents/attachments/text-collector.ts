// Collects the text of a document and stops it from growing beyond what is ever read.
import type { FileParts } from '../../contract/attachments.ts';

export interface ExtractedText {
  readonly text: string;
  /** What the document consists of, if it is known. */
  readonly parts?: FileParts;
}

/** More than is searched of one file. */
const MOST_CHARACTERS = 4_000_000;

export interface TextCollector {
  add(text: string): void;
  /** There is room for more. */
  readonly open: boolean;
  /** Without characters that no page shows and no database stores, and without runs of empty lines. */
  read(): string;
}

export function collectText(): TextCollector {
  const pieces: string[] = [];
  let length = 0;
  return {
    add(text) {
      if (length >= MOST_CHARACTERS) return;
      pieces.push(text.slice(0, MOST_CHARACTERS - length));
      length += text.length;
    },
    get open() {
      return length < MOST_CHARACTERS;
    },
    read: () =>
      pieces
        .join('')
        .toWellFormed()
        // oxlint-disable-next-line no-control-regex -- control characters are to be removed
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff\ufffe\uffff]/g, '')
        .replace(/\r\n?/g, '\n')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
  };
}
