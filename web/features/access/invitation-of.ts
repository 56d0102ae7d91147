import { safeNext } from './safe-next.ts';

/** The invitation that somebody came with: signing in leads to its page. */
export function invitationOf(next: unknown, origin: string): string | undefined {
  return /^\/invitations\/([\w-]+)$/.exec(new URL(safeNext(next, origin), origin).pathname)?.[1];
}
