// The session of a device is as strong as the one that approved it, no stronger and no fresher; and it is the provider's
// to end if that one is.
import type { Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { digestSecret, digestShortSecret } from '../secret-digests.ts';

/** Before the code is approved; the library accepts it as typed, and in capitals without separators. */
export async function noteApproval(
  db: Queryable,
  { authSecret }: Pick<IdentitySettings, 'authSecret'>,
  { userCode, userId, sessionId }: { readonly userCode: string; readonly userId: string; readonly sessionId: string },
): Promise<void> {
  const forms = [userCode, userCode.replaceAll(/[^a-zA-Z0-9]/g, '').toUpperCase()];
  await db.query(
    "update :schema.identity_device_code set session_id = $1 where user_id = $2 and status = 'pending' and user_code = any ($3)",
    [sessionId, userId, forms.map((form) => digestShortSecret(form, authSecret))],
  );
}

/** The session that approved the device, if one did. */
export async function findApproval(db: Queryable, deviceCode: string): Promise<string | undefined> {
  const { rows } = await db.query<{ session_id: string | null }>(
    'select session_id from :schema.identity_device_code where device_code = $1',
    [digestSecret(deviceCode)],
  );
  return rows[0]?.session_id ?? undefined;
}

/** False if the session that approved it has ended meanwhile: the device then has none either. */
export async function inheritStrength(
  db: Queryable,
  { token, approvedBy }: { readonly token: string; readonly approvedBy: string | undefined },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update :schema.identity_session d set method = s.method, second_factor = s.second_factor, proved_at = s.proved_at,
        issuer = s.issuer, subject = s.subject, provider_session = s.provider_session
       from :schema.identity_session s where d.token = $1 and s.id = $2 and s.user_id = d.user_id`,
    [digestSecret(token), approvedBy ?? null],
  );
  if (rowCount > 0) return true;
  await db.query('delete from :schema.identity_session where token = $1', [digestSecret(token)]);
  return false;
}
