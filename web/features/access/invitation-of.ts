import { safeNext } from '../../../src/contract/accounts/safe-next.ts';

/** The invitation in the address to open after signing in. */
export function invitationOf(next: unknown, origin: string): string | undefined {
  return /^\/invitations\/([\w-]+)$/.exec(new URL(safeNext(next, origin), origin).pathname)?.[1];
}
