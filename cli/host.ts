// What a command touches of the machine. Tests hand in their own.
import type { Readable, Writable } from 'node:stream';

export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Takes Ctrl-C over until the answer is called; without it Ctrl-C ends the program. */
  onInterrupt?(handler: () => void): () => void;
}

/** The one place where the command line reads its process. */
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
