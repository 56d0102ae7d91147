import { createHash } from 'node:crypto';

/** A name that is longer than a provider takes becomes a hash: the same person stays the same to it. */
export function fitUserId(user: string, maxLength: number): string {
  return user.length <= maxLength ? user : createHash('sha256').update(user).digest('hex');
}
