// The one place that decides which errors mean that storage is unavailable at the moment, through no fault of the
// statement. Callers wait and retry on those; any other error is an answer. An SQLSTATE is told from a system error code
// by its origin, never by its shape: `EPIPE` has five characters, too.
import pg from 'pg';

/** `away`: no response, or the session has ended. `full`: nothing can be written. `busy`: out of connections, memory or time. */
export type StorageFault = 'away' | 'full' | 'busy';

/** By SQLSTATE, or by the two characters of a class in which all codes mean the same. */
export const SQLSTATES: Readonly<Record<string, StorageFault>> = {
  // Connection exceptions, the server's and a pooler's.
  '08': 'away',
  // A primary that has become a replica: the next connection finds the new one.
  '25006': 'away',
  // The session was ended: idle for too long, by a time limit or by an operator.
  '25P03': 'away',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P05': 'away',
  // A file of the server cannot be read or written.
  '58030': 'away',
  // Also reported as "could not extend file".
  '53100': 'full',
  '53200': 'busy',
  '53300': 'busy',
  '55P03': 'busy',
  // Cancelled, as happens to a statement that takes too long.
  '57014': 'busy',
};

/** By the code of a network or disk error. */
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

/** The driver's own errors, which have no code. */
const DRIVER_MESSAGES: readonly RegExp[] = [
  /^Connection terminated/,
  /is not queryable$/,
  /^timeout e/,
  /^Query read timeout$/,
];

export function findStorageFault(error: unknown): StorageFault | undefined {
  if (error instanceof pg.DatabaseError) return SQLSTATES[error.code ?? ''] ?? SQLSTATES[error.code?.slice(0, 2) ?? ''];
  // A host with two addresses fails with one error that contains both.
  if (error instanceof AggregateError) return findStorageFault(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // The socket of a server that has not started yet; any other missing file will not appear.
  if (code === 'ENOENT') return syscall === 'connect' ? 'away' : undefined;
  if (code !== undefined) return SYSTEM_CODES[code];
  return DRIVER_MESSAGES.some((message) => message.test(error.message)) ? 'away' : undefined;
}

/**
 * Whether a statement that failed may have taken effect all the same: it was sent, and the server has not said that it
 * refused it.
 */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity !== 'ERROR';
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return !(one instanceof Error) || (one as NodeJS.ErrnoException).syscall !== 'connect';
}

/** Rolled back because of a concurrent transaction: a deadlock or a serialization failure. Storage is fine. */
export function isUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** A concurrent transaction was faster: it changed a row, added the same one, or caused a deadlock. */
export function isWriteConflict(error: unknown): boolean {
  return isUndone(error) || (error instanceof pg.DatabaseError && error.code === '23505');
}

/** A short reason why the database did not respond; never the driver's message, which may contain the address. */
export function reasonOf(error: unknown): string {
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = one instanceof Error ? (one as NodeJS.ErrnoException).code : undefined;
  if (typeof code === 'string') return code;
  return one instanceof Error && /time(?:d )?out/i.test(one.message) ? 'timeout' : 'failed';
}
