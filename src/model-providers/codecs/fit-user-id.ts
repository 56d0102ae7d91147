import { createHash } from 'node:crypto';

/** A user id longer than the provider takes becomes a hash, so that the same user keeps the same id. */
export function fitUserId(user: string, maxLength: number): string {
  return user.length <= maxLength ? user : createHash('sha256').update(user).digest('hex');
}
