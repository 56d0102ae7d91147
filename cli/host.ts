// The parts of the process that commands use; tests pass their own.
import type { Readable, Writable } from 'node:stream';

export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Handles Ctrl-C until the returned function is called; otherwise Ctrl-C ends the program. */
  onInterrupt?(handler: () => void): () => void;
}

/** The only place where the CLI reads `process`. */
export function processHost(): Host {
  return {
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt(handler) {
      process.on('SIGINT', handler);
      return () => void process.off('SIGINT', handler);
    },
  };
}
