import { EXIT, type ExitCode } from './exit-codes.ts';

interface FailureFacts {
  readonly exit?: ExitCode;
  /** One line: what to do next. */
  readonly next?: string | undefined;
  /** The service's own code or sentence. */
  readonly error?: string;
  /** Lines about single fields. */
  readonly details?: unknown;
}

/** A command that cannot do what it was asked to. It says what to do next. */
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

export const usage = (message: string, next = 'Run it with --help to see what it takes.'): Failure =>
  new Failure(message, { exit: EXIT.usage, error: 'usage', next });
