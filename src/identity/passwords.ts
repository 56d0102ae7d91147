// Passwords on their way into and out of the database. No transaction is open while one is hashed: the identity
// library hashes a new person's within its own, so the route hashes it before and leaves it here for the library
// to find. Hashing inside a transaction is an error, whoever starts it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { createHashGate, type HashGate } from './hash-gate.ts';

/** scrypt on the thread pool, as the library stores it. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(pair: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

export interface Passwords {
  readonly gate: HashGate;
  /** For the library. */
  readonly hashing: Hashing;
  /** Runs `work`, in which the library finds the password hashed already. */
  prepared<T>(password: string, hash: string, work: () => Promise<T>): Promise<T>;
  /** Runs what happens within a transaction. */
  withinTransaction<T>(work: () => Promise<T>): Promise<T>;
}

/** Half of the machine at most: the other half answers everybody else. */
const AT_ONCE = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const WAITING_MAX = 192;
const WAITING_MAX_PER_CALLER = 64;

interface Moment {
  readonly password?: string;
  readonly hash?: string;
  readonly inTransaction: boolean;
}

export function createPasswords({ hash, verify }: Hashing = { hash: hashPassword, verify: verifyPassword }): Passwords {
  const moment = new AsyncLocalStorage<Moment>();
  const assertNoTransaction = (): void => {
    if (moment.getStore()?.inTransaction) throw new Error('a password would be hashed while a transaction is open');
  };
  return {
    gate: createHashGate({ atOnce: AT_ONCE, waitingMax: WAITING_MAX, waitingMaxPerCaller: WAITING_MAX_PER_CALLER }),
    hashing: {
      async hash(password) {
        const ready = moment.getStore();
        if (ready?.hash !== undefined && ready.password === password) return ready.hash;
        assertNoTransaction();
        return hash(password);
      },
      async verify(pair) {
        assertNoTransaction();
        return verify(pair);
      },
    },
    prepared: (password, ready, work) => moment.run({ password, hash: ready, inTransaction: false }, work),
    withinTransaction: (work) => moment.run({ ...moment.getStore(), inTransaction: true }, work),
  };
}
