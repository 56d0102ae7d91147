import { describeFileFault } from './file-faults.js';

/** Why the stack cannot start or continue, as one line for the person who started it. */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1, options?: { cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const EXIT_USAGE = 2;
export const EXIT_CONFIG = 78;

/** The same for a file that cannot be written; undefined if the error is about something else. */
export function findFileError(error: unknown): StackError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const path = String(error.path);
  const fault = describeFileFault(String(error.code), path);
  if (fault === undefined) return undefined;
  return new StackError(
    `${path} cannot be written: ${fault}. Fix that, or choose another directory with --data-dir.`,
    1,
    { cause: error },
  );
}
