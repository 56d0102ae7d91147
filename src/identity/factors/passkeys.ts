// What is stored about passkeys, and the name of the site that they belong to. It is the host of SERVICE_PUBLIC_URL: a
// browser offers a passkey to that host only, so with another host every passkey is lost.
import type { Clock } from '../../base/clock.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import type { Queryable } from '../../store/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Passkey } from '../../contract/account/account.ts';

export const MOST_PASSKEYS = 20;

export interface PasskeyDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'publicUrl'>;
}

interface Site {
  readonly id: string;
  readonly origin: string;
}

export function siteOf({ publicUrl }: Pick<IdentitySettings, 'publicUrl'>): Site {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

interface PasskeyRow extends Record<string, unknown> {
  id: string;
  name: string;
  backed_up: boolean;
  created_at: Date;
  used_at: Date | null;
}

/** All of a person, oldest first; there are at most twenty. */
export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  const { rows } = await db.query<PasskeyRow>(
    'select id, name, backed_up, created_at, used_at from :schema.identity_passkey where user_id = $1 order by id',
    [userId],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    backedUp: row.backed_up,
    createdAt: row.created_at.toISOString(),
    ...(row.used_at === null ? {} : { usedAt: row.used_at.toISOString() }),
  }));
}

export async function renamePasskey(
  db: Queryable,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<void> {
  const { rowCount } = await db.query('update :schema.identity_passkey set name = $3 where id = $1 and user_id = $2', [
    id,
    userId,
    name,
  ]);
  if (rowCount === 0) throw new AppError('not_found');
}

/** The challenge that the authenticator signed. Throws `invalid_passkey`. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    if (typeof challenge === 'string') return challenge;
  } catch {
    // Refused below, like one without a challenge.
  }
  throw new AppError('invalid_passkey');
}
