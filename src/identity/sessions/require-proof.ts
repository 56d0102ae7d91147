// What cannot be undone asks for a fresh proof of who the person is: the session alone may be somebody else at an open
// laptop. POST /api/me/proof renews it.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { Session } from './find-session.ts';

const PROOF_MINUTES = 10;

/** Throws `proof_required`. */
export function requireProof({ provedAt, method }: Pick<Session, 'provedAt' | 'method'>, now: Date): void {
  if (now.getTime() - provedAt.getTime() > PROOF_MINUTES * 60_000) throw new AppError('proof_required', { method });
}

/** A passkey is a second factor as well. */
export async function renewProof(
  db: Queryable,
  clock: Clock,
  { sessionId, withPasskey }: { readonly sessionId: string; readonly withPasskey: boolean },
): Promise<void> {
  await db.query(
    'update :schema.identity_session set proved_at = $2, second_factor = second_factor or $3 where id = $1',
    [sessionId, clock(), withPasskey],
  );
}
