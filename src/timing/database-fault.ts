// The one place that decides which error means that storage cannot do its work at the moment, through no fault of what
// was asked. Whoever meets one waits and tries again; every other error is an answer. The same look tells an SQLSTATE
// from a system error code by where it comes from, never by its shape: `EPIPE` has five characters too.
import pg from 'pg';

/** `away`: nothing answers, or the session has ended. `full`: nothing can be written. `busy`: too much at once. */
export type StorageFault = 'away' | 'full' | 'busy';

/** By SQLSTATE, or by the two characters of a class that means the same throughout. */
export const SQLSTATES: Readonly<Record<string, StorageFault>> = {
  // Connection exceptions, the server's and a pooler's.
  '08': 'away',
  // A primary that has become a replica: the next connection finds the new one.
  '25006': 'away',
  // The session was ended for being idle, by a time limit or by an operator.
  '25P03': 'away',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P05': 'away',
  // A file of the server cannot be read or written.
  '58030': 'away',
  // Also what the server says when it "could not extend file".
  '53100': 'full',
  '53200': 'busy',
  '53300': 'busy',
  '55P03': 'busy',
  // Cancelled, which is what a statement that takes too long ends with.
  '57014': 'busy',
};

/** By the code of a system error, of the network or of the disk. */
export const SYSTEM_CODES: Readonly<Record<string, StorageFault>> = {
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  ECONNABORTED: 'away',
  ENOTCONN: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
  EHOSTUNREACH: 'away',
  EHOSTDOWN: 'away',
  ENETUNREACH: 'away',
  ENETDOWN: 'away',
  ENOTFOUND: 'away',
  EAI_AGAIN: 'away',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EMFILE: 'busy',
  ENFILE: 'busy',
};

/** What the driver says of its own accord, without any code. */
const DRIVER_MESSAGES: readonly RegExp[] = [
  /^Connection terminated/,
  /is not queryable$/,
  /^timeout e/,
  /^Query read timeout$/,
];

export function findStorageFault(error: unknown): StorageFault | undefined {
  if (error instanceof pg.DatabaseError) return SQLSTATES[error.code ?? ''] ?? SQLSTATES[error.code?.slice(0, 2) ?? ''];
  // A host with two addresses fails with both failures inside one error.
  if (error instanceof AggregateError) return findStorageFault(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // The socket of a server that has not started; any other file that is missing stays missing.
  if (code === 'ENOENT') return syscall === 'connect' ? 'away' : undefined;
  if (code !== undefined) return SYSTEM_CODES[code];
  return DRIVER_MESSAGES.some((message) => message.test(error.message)) ? 'away' : undefined;
}

/** Undone because of a neighbour: a deadlock, or a transaction that another one overtook. Nothing is wrong with storage. */
export function isUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** A short word for why the database did not answer; never the driver's sentence, which may name the address. */
export function reasonOf(error: unknown): string {
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = one instanceof Error ? (one as NodeJS.ErrnoException).code : undefined;
  if (typeof code === 'string') return code;
  return one instanceof Error && /time(?:d )?out/i.test(one.message) ? 'timeout' : 'failed';
}
