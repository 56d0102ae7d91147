import { EXIT, type ExitCode } from './exit-codes.ts';

interface FailureFacts {
  readonly exit?: ExitCode;
  /** What to do next, in one line. */
  readonly next?: string | undefined;
  /** The error code for scripts, as the service gives it. */
  readonly error?: string;
  /** Per field, printed one per line. */
  readonly details?: unknown;
}

/** Why a command failed and what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: ExitCode;
  readonly next: string | undefined;
  readonly error: string | undefined;
  readonly details: unknown;

  constructor(message: string, { exit = EXIT.failed, next, error, details }: FailureFacts = {}) {
    super(message);
    this.exit = exit;
    this.next = next;
    this.error = error;
    this.details = details;
  }
}

export const usage = (message: string, next = 'Run the command with --help to see its usage.'): Failure =>
  new Failure(message, { exit: EXIT.usage, error: 'usage', next });
