// Questions that can be answered once, within five minutes. The browser has the secret; the table has its digest.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../../store/database.ts';
import { digestSecret } from '../secret-digests.ts';

export const CHALLENGE_MINUTES = 5;
/** Wrong codes that one second-factor question takes. */
const MOST_TRIES = 5;

export type ChallengeKind = 'new-passkey' | 'passkey-sign-in' | 'passkey-proof' | 'second-factor';

interface ChallengeOf {
  readonly kind: ChallengeKind;
  readonly userId?: string;
  readonly remember?: boolean;
}

interface ChallengeRow extends Record<string, unknown> {
  user_id: string | null;
  remember: boolean;
}

export interface Challenge {
  readonly userId: string | undefined;
  readonly remember: boolean;
}

const toChallenge = (row: ChallengeRow): Challenge => ({ userId: row.user_id ?? undefined, remember: row.remember });

/** 256 random bits in base64url. */
export async function makeChallenge(
  db: Queryable,
  clock: Clock,
  { kind, userId, remember = true }: ChallengeOf,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db.query(
    'insert into :schema.identity_challenge (digest, kind, user_id, remember, expires_at) values ($1, $2, $3, $4, $5)',
    [digestSecret(secret), kind, userId ?? null, remember, new Date(clock().getTime() + CHALLENGE_MINUTES * 60_000)],
  );
  return secret;
}

interface Given {
  readonly kind: ChallengeKind;
  readonly secret: string;
}

/** Takes it away; undefined for one that is unknown, answered or too old. */
export async function takeChallenge(db: Queryable, clock: Clock, given: Given): Promise<Challenge | undefined> {
  const { rows } = await db.query<ChallengeRow>(
    'delete from :schema.identity_challenge where digest = $1 and kind = $2 and expires_at > $3 returning user_id, remember',
    [digestSecret(given.secret), given.kind, clock()],
  );
  return rows[0] && toChallenge(rows[0]);
}

/** Counts a try before it is checked, so that concurrent ones cannot exceed the limit. Undefined when it is over. */
export async function tryChallenge(db: Queryable, clock: Clock, given: Given): Promise<Challenge | undefined> {
  const { rows } = await db.query<ChallengeRow>(
    `update :schema.identity_challenge set tries = tries + 1
      where digest = $1 and kind = $2 and expires_at > $3 and tries < ${MOST_TRIES} returning user_id, remember`,
    [digestSecret(given.secret), given.kind, clock()],
  );
  return rows[0] && toChallenge(rows[0]);
}
