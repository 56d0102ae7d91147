import type { AppError } from '../base/errors.ts';

/** The destination of a reader. */
export interface AnswerWriter {
  /** False when the client is behind. */
  write(bytes: Buffer | string): boolean;
  end(): void;
  /** Ends the answer in such a way that the client cannot mistake it for complete. */
  destroy(): void;
  /** Refuses with an error, if nothing has been written yet. */
  refuse(error: AppError): void;
}
