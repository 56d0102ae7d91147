/** Why the stack cannot start or go on, as one line for the person who started it. */
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
