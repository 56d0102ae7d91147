// How much mail can be caused to addresses whose owners did nothing for it, so that the service cannot be used to flood
// somebody. Counted in the table of mail, so it holds over all processes. Kinds that only tell people what happened to
// their own account are bounded by the limits of what causes them.
import { AppError } from '../base/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { MailKind } from './mail-kinds.ts';

export interface MailLimit {
  /** To one address, in an hour and in a day. */
  readonly perHour: number;
  readonly perDay: number;
  /** Caused by one person in a day, to whatever addresses. */
  readonly perCause?: number;
  /** To all addresses together, in an hour. */
  readonly total: number;
}

export const MAIL_LIMITS: Readonly<Partial<Record<MailKind, MailLimit>>> = {
  'reset-password': { perHour: 3, perDay: 10, total: 1_000 },
  'prove-address': { perHour: 3, perDay: 10, perCause: 20, total: 1_000 },
  invitation: { perHour: 3, perDay: 5, perCause: 200, total: 2_000 },
  'new-device': { perHour: 5, perDay: 20, total: 5_000 },
};

const COUNT = `
select (select count(*)::int from :schema.mail where recipient = $2 and kind = $1 and created_at > $4::timestamptz - interval '1 hour') as hour,
       (select count(*)::int from :schema.mail where recipient = $2 and kind = $1 and created_at > $4::timestamptz - interval '1 day') as day,
       (select count(*)::int from :schema.mail where caused_by = $3 and kind = $1 and created_at > $4::timestamptz - interval '1 day') as caused,
       (select count(*)::int from :schema.mail where kind = $1 and created_at > $4::timestamptz - interval '1 hour') as total`;

/** Mail to one address is counted one after the other. Throws `rate_limited`. */
export async function requireMailAllowed(
  tx: Queryable,
  { kind, to, causedBy, at }: { kind: MailKind; to: string; causedBy: string | undefined; at: Date },
): Promise<void> {
  const limit = MAIL_LIMITS[kind];
  if (!limit) return;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mail to ${to}`]);
  const { rows } = await tx.query<{ hour: number; day: number; caused: number; total: number }>(COUNT, [
    kind,
    to,
    causedBy ?? null,
    at,
  ]);
  const { hour = 0, day = 0, caused = 0, total = 0 } = rows[0] ?? {};
  if (hour >= limit.perHour || total >= limit.total) throw new AppError('rate_limited', { retryAfterSeconds: 3_600 });
  if (day >= limit.perDay || (limit.perCause !== undefined && caused >= limit.perCause))
    throw new AppError('rate_limited', { retryAfterSeconds: 86_400 });
}
