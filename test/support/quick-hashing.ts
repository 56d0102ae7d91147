import { createHash } from 'node:crypto';
import type { Hashing } from '../../src/identity/passwords/passwords.ts';

const digest = (password: string): string => `quick:${createHash('sha256').update(password).digest('hex')}`;

/** For tests in which the price of a hash is not the point. */
export const quickHashing: Hashing = {
  hash: async (password) => digest(password),
  verify: async ({ hash, password }) => hash === digest(password),
};
