/** Why no text could be taken from a file. It crosses threads by its kind. */
export type FileFaultKind = 'damaged' | 'encrypted' | 'too_complex' | 'without_text';

export class FileFault extends Error {
  readonly kind: FileFaultKind;
  constructor(kind: FileFaultKind) {
    super(`file ${kind}`);
    this.kind = kind;
  }
}
