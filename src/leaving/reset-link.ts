// A way back in for someone who has no mail: the operator makes a link and hands it over. It is recorded like every act on
// an account; the link itself is not.
import { publicUrl } from '../net/addresses.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { linkUrl } from '../identity/links/link-url.ts';
import { LINK_LIFE_MINUTES } from '../identity/links/one-use-links.ts';
import { makeResetLink } from '../identity/passwords/reset-password.ts';
import type { Database } from '../store/database.ts';
import { recordAct } from './operate.ts';

export interface OperatorLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** Throws `not_found`, and `account_disabled` for one that is shut. */
export function makeOperatorLink(
  { db, clock, config }: { readonly db: Database; readonly clock: Clock; readonly config: Config },
  { id, operator }: { readonly id: string; readonly operator: string },
): Promise<OperatorLink> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ email: string; disabled: boolean }>(
      'select email, disabled_at is not null as disabled from :schema.identity_user where id = $1',
      [id],
    );
    const [person] = rows;
    if (!person) throw new AppError('not_found');
    if (person.disabled) throw new AppError('account_disabled');
    const secret = await makeResetLink(tx, clock, { userId: id, email: person.email });
    await recordAct(tx, { at: clock(), operator, act: 'reset-password', kind: 'person', id });
    return {
      link: linkUrl(publicUrl(config), 'reset-password', secret),
      expiresAt: new Date(clock().getTime() + LINK_LIFE_MINUTES['reset-password'] * 60_000).toISOString(),
    };
  });
}
