// Passwords on their way into and out of the database. No transaction is open while one is hashed: the identity
// library hashes a new person's within its own, so the route hashes it before and leaves it here for the library
// to find. Hashing inside a transaction is an error, whoever starts it. How many are hashed at once is decided at the
// door: every route that hashes has the cost `hashing`.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** scrypt on the thread pool, as the library stores it. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(pair: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

export interface Passwords {
  /** For the library. */
  readonly hashing: Hashing;
  /** Runs `work`, in which the library finds the password hashed already. */
  prepared<T>(password: string, hash: string, work: () => Promise<T>): Promise<T>;
  /** Runs what happens within a transaction. */
  withinTransaction<T>(work: () => Promise<T>): Promise<T>;
}

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
