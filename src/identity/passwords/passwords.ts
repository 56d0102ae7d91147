// Hashes and verifies passwords. No transaction may be open while a password is hashed. The identity library would hash
// a new person's password inside its transaction, so the route hashes it first and leaves it here for the library to
// find; hashing inside a transaction is an error. The gate limits concurrency: every route that hashes has the cost
// `hashing`.
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
  /** Runs `work`, in which the library finds the password already hashed. */
  prepared<T>(password: string, hash: string, work: () => Promise<T>): Promise<T>;
  /** Runs work that happens inside a transaction. */
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
    if (moment.getStore()?.inTransaction) throw new Error('a password must not be hashed while a transaction is open');
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
