// What a person wants mail about, besides what concerns their account.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';

export interface MailChoice {
  /** A mail when a run that they started ends. */
  readonly runs: boolean;
}

const READ = 'select run_mails as runs from :schema.identity_user where id = $1';
const CHOOSE = 'update :schema.identity_user set run_mails = $2 where id = $1 returning run_mails as runs';

export async function readMailChoice(db: Queryable, userId: string): Promise<MailChoice> {
  return one(await db.query<{ runs: boolean }>(READ, [userId]));
}

export async function chooseMail(db: Queryable, userId: string, { runs }: MailChoice): Promise<MailChoice> {
  return one(await db.query<{ runs: boolean }>(CHOOSE, [userId, runs]));
}

function one({ rows }: { readonly rows: readonly { runs: boolean }[] }): MailChoice {
  if (!rows[0]) throw new AppError('not_found');
  return { runs: rows[0].runs };
}
