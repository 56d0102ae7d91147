// Secrets of links that work once and for a short time. A newer link of the same kind replaces the older one, so a person
// has at most one of each.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../../store/database.ts';
import { digestSecret } from '../secret-digests.ts';

export const LINK_LIFE_MINUTES = { 'reset-password': 60, 'prove-address': 24 * 60 } as const;
export type LinkKind = keyof typeof LINK_LIFE_MINUTES;

export interface LinkOf {
  readonly kind: LinkKind;
  readonly userId: string;
  /** The address that it is sent to, or is to prove. */
  readonly email: string;
}

/** Returns the secret, which goes into the link and nowhere else. */
export async function makeLink(db: Queryable, clock: Clock, { kind, userId, email }: LinkOf): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db.query('delete from :schema.identity_link where user_id = $1 and kind = $2', [userId, kind]);
  await db.query(
    'insert into :schema.identity_link (digest, kind, user_id, email, expires_at) values ($1, $2, $3, $4, $5)',
    [digestSecret(secret), kind, userId, email, new Date(clock().getTime() + LINK_LIFE_MINUTES[kind] * 60_000)],
  );
  return secret;
}

/** Says whose it is and leaves it. */
export async function findLink(
  db: Queryable,
  clock: Clock,
  { kind, secret }: { readonly kind: LinkKind; readonly secret: string },
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  const { rows } = await db.query<{ user_id: string; email: string }>(
    'select user_id, email from :schema.identity_link where digest = $1 and kind = $2 and expires_at > $3',
    [digestSecret(secret), kind, clock()],
  );
  return rows[0] && { userId: rows[0].user_id, email: rows[0].email };
}

/** Takes the link away and says whose it was; nothing for one that is unknown, used, replaced or too old. */
export async function takeLink(
  db: Queryable,
  clock: Clock,
  { kind, secret }: { readonly kind: LinkKind; readonly secret: string },
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  const { rows } = await db.query<{ user_id: string; email: string }>(
    'delete from :schema.identity_link where digest = $1 and kind = $2 and expires_at > $3 returning user_id, email',
    [digestSecret(secret), kind, clock()],
  );
  return rows[0] && { userId: rows[0].user_id, email: rows[0].email };
}

/** For an account whose address is changed by someone else: what was sent to the one before opens nothing. */
export async function dropLinks(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from :schema.identity_link where user_id = $1', [userId]);
}
