// The secret of a person's one-time codes: sealed under a key that is derived from AUTH_SECRET and bound to the person.
// With another AUTH_SECRET it can no longer be opened: recovery codes and passkeys still work, and the person sets
// one-time codes up again.
import { hkdfSync } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { seal, unseal } from '../../base/seal.ts';
import type { Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { findStep, newCodeSecret } from './one-time-codes.ts';

export interface CodeDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authSecret'>;
}

interface SecretRow extends Record<string, unknown> {
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

const keyOf = ({ authSecret }: CodeDeps['settings']): Buffer =>
  Buffer.from(hkdfSync('sha256', authSecret, '', 'one-time-codes/v1', 32));
const contextOf = (userId: string): string[] => ['one-time-codes', userId];

/** A new secret, which counts once a code has confirmed it. It replaces one that was never confirmed. */
export async function offerCodeSecret({ db, clock, settings }: CodeDeps, userId: string): Promise<Buffer | undefined> {
  const secret = newCodeSecret();
  const { ciphertext, iv, authTag } = seal(keyOf(settings), secret.toString('base64'), contextOf(userId));
  const { rowCount } = await db.query(
    `insert into :schema.identity_one_time_code as c (user_id, ciphertext, iv, auth_tag, created_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set ciphertext = excluded.ciphertext, iv = excluded.iv, auth_tag = excluded.auth_tag,
       created_at = excluded.created_at, last_step = 0 where c.confirmed_at is null`,
    [userId, ciphertext, iv, authTag, clock()],
  );
  return rowCount === 0 ? undefined : secret;
}

/** Whether the code is the person's, now and for the first time. `confirmed` says which secret is asked. */
export async function acceptCode(
  { db, clock, settings }: CodeDeps,
  { userId, code, confirmed }: { readonly userId: string; readonly code: string; readonly confirmed: boolean },
): Promise<boolean> {
  const { rows } = await db.query<SecretRow>(
    'select ciphertext, iv, auth_tag from :schema.identity_one_time_code where user_id = $1 and (confirmed_at is not null) = $2',
    [userId, confirmed],
  );
  const [row] = rows;
  if (!row) return false;
  const { ciphertext, iv, auth_tag: authTag } = row;
  const secret = unseal(keyOf(settings), { ciphertext, iv, authTag }, contextOf(userId));
  if (secret === undefined) return false;
  const now = clock();
  const step = findStep(Buffer.from(secret, 'base64'), code.replaceAll(/\s/g, ''), now);
  if (step === undefined) return false;
  // A code that was accepted once is not accepted again, nor one from before it. The sealed bytes are compared because
  // the secret may have been replaced meanwhile.
  const { rowCount } = await db.query(
    `update :schema.identity_one_time_code set last_step = $2, confirmed_at = coalesce(confirmed_at, $3)
      where user_id = $1 and last_step < $2 and ciphertext = $4`,
    [userId, step, now, ciphertext],
  );
  return rowCount > 0;
}
