// Ten codes for a lost phone, each for one use. They have 80 random bits, so that a plain digest is enough and they
// outlive a change of AUTH_SECRET, which the sealed secret of one-time codes does not.
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../store/database.ts';
import { digestSecret } from '../secret-digests.ts';
import { encodeBase32 } from './one-time-codes.ts';

const RECOVERY_CODES = 10;
const RECOVERY_CODE = /^[a-z2-7]{16}$/;

/** Replaces those that the person had. They are shown once. */
export async function makeRecoveryCodes(tx: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => encodeBase32(randomBytes(10)).toLowerCase());
  await tx.query('delete from :schema.identity_recovery_code where user_id = $1', [userId]);
  await tx.query(
    'insert into :schema.identity_recovery_code (digest, user_id) select digest, $2 from unnest($1::text[]) as made (digest)',
    [codes.map((code) => digestOf(userId, code)), userId],
  );
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** Whether it was one of theirs; it is none afterwards. */
export async function takeRecoveryCode(db: Queryable, userId: string, given: string): Promise<boolean> {
  const code = given.toLowerCase().replaceAll(/[\s-]/g, '');
  if (!RECOVERY_CODE.test(code)) return false;
  const { rowCount } = await db.query('delete from :schema.identity_recovery_code where digest = $1 and user_id = $2', [
    digestOf(userId, code),
    userId,
  ]);
  return rowCount > 0;
}

const digestOf = (userId: string, code: string): string => digestSecret(`recovery/v1\0${userId}\0${code}`);
