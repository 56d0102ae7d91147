// Organizations that only a session with a second factor opens. A session of the OpenID provider counts as one: what
// that provider asks for is its own rule.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { Session } from './find-session.ts';

type Strength = Pick<Session, 'user' | 'owesSecondFactor'>;

export const hasSecondFactor = ({ method, secondFactor }: Pick<Session, 'method' | 'secondFactor'>): boolean =>
  secondFactor || method === 'openid';

/** Throws `second_factor_required`. Most sessions owe nothing, and then nothing is read. */
export async function requireSecondFactor(
  db: Queryable,
  { user, owesSecondFactor }: Strength,
  organizationId: string,
): Promise<void> {
  if (!owesSecondFactor) return;
  const { rowCount } = await db.query(
    'select 1 from :schema.second_factor_demand where user_id = $1 and organization_id = $2',
    [user.id, organizationId],
  );
  if (rowCount > 0) throw new AppError('second_factor_required', { organization: organizationId });
}

/** The organizations of the person that their session does not open. */
export async function listClosedOrganizations(
  db: Queryable,
  { user, owesSecondFactor }: Strength,
): Promise<ReadonlySet<string>> {
  if (!owesSecondFactor) return new Set();
  const { rows } = await db.query<{ organization_id: string }>(
    'select organization_id from :schema.second_factor_demand where user_id = $1',
    [user.id],
  );
  return new Set(rows.map((row) => row.organization_id));
}

/** What a path names by its id alone. A token may still be revoked. */
const NAMED = /^\/api\/(threads|chat|shares|attachments|projects|prompts|imports|tokens)\/([\w-]{1,128})(?:\/|$)/;
const KINDS: Readonly<Record<string, string>> = {
  threads: 'thread',
  chat: 'thread',
  shares: 'share',
  attachments: 'attachment',
  projects: 'project',
  prompts: 'prompt',
  imports: 'import',
  tokens: 'token',
};

/** The same for a request whose path names something of an organization, but not the organization. */
export async function requireSecondFactorAt(
  db: Queryable,
  { user, owesSecondFactor }: Strength,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<void> {
  const [, room = '', id] = (owesSecondFactor && NAMED.exec(path)) || [];
  if (id === undefined || (room === 'tokens' && method === 'DELETE')) return;
  const { rows } = await db.query<{ organization_id: string }>(
    `select d.organization_id from :schema.place_of_id p
       join :schema.second_factor_demand d on d.organization_id = p.organization_id
      where p.kind = $1 and p.id = $2 and d.user_id = $3`,
    [KINDS[room], id, user.id],
  );
  if (rows[0]) throw new AppError('second_factor_required', { organization: rows[0].organization_id });
}
