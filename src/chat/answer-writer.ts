import type { AppError } from '../base/errors.ts';

/** What a reader writes to. */
export interface AnswerWriter {
  /** False when the client is behind. */
  write(bytes: Buffer | string): boolean;
  end(): void;
  /** Ends the answer so that the client cannot take it for complete. */
  destroy(): void;
  /** Refuses with an error while nothing has been written. */
  refuse(error: AppError): void;
}
