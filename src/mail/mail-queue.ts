// The rows of waiting mail. A worker claims what it delivers by moving its time past the lease, so that no two have the
// same mail at once. One that is lost in the middle may have delivered: its mail is delivered again, with the same
// Message-ID.
import { unseal } from '../base/seal.ts';
import type { Queryable } from '../store/database.ts';
import { pauseAfter } from '../timing/retry.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { sealingContext } from './create-mailer.ts';
import type { MailKind, MailLanguage, MailValues } from './mail-kinds.ts';

export interface WaitingMail {
  readonly id: string;
  readonly recipient: string;
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly createdAt: Date;
  /** This one included. */
  readonly tries: number;
  /** Undefined if it cannot be opened with this key. */
  readonly values: MailValues[MailKind] | undefined;
}

/** Longer than any delivery takes. */
const LEASE_SECONDS = 300;
const GIVE_UP_HOURS = 24;
/** How long it is known that a mail was sent. */
const KEPT_DAYS = 7;
const PRUNED_AT_ONCE = 1_000;

const CLAIM = `
update :schema.mail m set next_at = $1::timestamptz + interval '${LEASE_SECONDS} seconds', tries = m.tries + 1
from (select id from :schema.mail where next_at <= $1 order by next_at limit $2 for update skip locked) due
where m.id = due.id
returning m.id, m.recipient, m.kind, m.language, m.created_at, m.tries, m.ciphertext, m.iv, m.auth_tag`;

interface ClaimedRow extends Record<string, unknown> {
  id: string;
  recipient: string;
  kind: MailKind;
  language: MailLanguage;
  created_at: Date;
  tries: number;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

export async function claimMail(db: Queryable, key: Buffer, now: Date, most: number): Promise<WaitingMail[]> {
  const { rows } = await db.query<ClaimedRow>(CLAIM, [now, most]);
  return rows.map(({ id, recipient, kind, language, created_at: createdAt, tries, ...sealed }) => {
    const text = unseal(
      key,
      { ciphertext: sealed.ciphertext, iv: sealed.iv, authTag: sealed.auth_tag },
      sealingContext(id, recipient),
    );
    const values = text === undefined ? undefined : (JSON.parse(text) as MailValues[MailKind]);
    return { id, recipient, kind, language, createdAt, tries, values };
  });
}

const EMPTIED = 'next_at = null, ciphertext = null, iv = null, auth_tag = null';

export async function markSent(db: Queryable, { id }: WaitingMail, now: Date): Promise<void> {
  await db.query(`update :schema.mail set sent_at = $2, failure = null, ${EMPTIED} where id = $1`, [id, now]);
}

/** Not tried: it is due again at once, and the try does not count. */
export async function giveBack(db: Queryable, { id, tries }: WaitingMail, now: Date): Promise<void> {
  await db.query('update :schema.mail set next_at = $2, tries = tries - 1 where id = $1 and tries = $3', [
    id,
    now,
    tries,
  ]);
}

/** Returns whether it will be tried again. */
export async function markFailed(
  db: Queryable,
  { id, tries, createdAt }: WaitingMail,
  { reason, final, now }: { readonly reason: string; readonly final: boolean; readonly now: Date },
): Promise<boolean> {
  const next = new Date(now.getTime() + pauseAfter(RETRIES.mail, tries));
  const over = final || next.getTime() - createdAt.getTime() > GIVE_UP_HOURS * 3_600_000;
  if (over) await db.query(`update :schema.mail set failure = $2, ${EMPTIED} where id = $1`, [id, reason]);
  else await db.query('update :schema.mail set failure = $2, next_at = $3 where id = $1', [id, reason, next]);
  return !over;
}

export async function pruneMail(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from :schema.mail where id in (select id from :schema.mail where created_at < $1 and next_at is null limit ${PRUNED_AT_ONCE})`,
    [keptSince(now)],
  );
  return rowCount;
}

/** Whether there is anything to deliver or to prune. */
export async function isMailDue(db: Queryable, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 where exists (select from :schema.mail where next_at <= $1)
                 or exists (select from :schema.mail where created_at < $2 and next_at is null)`,
    [now, keptSince(now)],
  );
  return rowCount > 0;
}

export interface MailFigures {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export async function readMailFigures(db: Queryable, now: Date): Promise<MailFigures> {
  const { rows } = await db.query<{ waiting: number; oldest: Date | null }>(
    'select count(*)::int as waiting, min(created_at) as oldest from :schema.mail where next_at is not null',
  );
  const { waiting = 0, oldest = null } = rows[0] ?? {};
  return { waiting, oldestSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000) };
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * 86_400_000);
}
