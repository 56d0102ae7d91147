// Which of many authorities have ended, in one statement: the token revoked, the session gone, expired or
// too weak for the organization, the membership ended. It covers all open streams of a process at once, so it touches as few rows as possible.
import type { Queryable } from '../../store/database.ts';

/** What entitles someone to a stream. Each part that is given must hold. */
export interface Authority {
  readonly userId: string;
  readonly tokenId?: string | undefined;
  /** Of the token; the database knows when a session expires. */
  readonly expiresAtMs?: number | undefined;
  readonly sessionId?: string | undefined;
  /** By id or slug: the person must be a member. */
  readonly organizationId?: string | undefined;
  /**
   * By id or slug: the person must be a member of it. Only with an organization; if absent, any of its workspaces will
   * do.
   */
  readonly workspaceId?: string | undefined;
}

// Ids contain an underscore and slugs do not, so a name matches only one column.
const FIND = `
select a.n from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality as a (user_id, token_id, session_id, organization, workspace, n)
where exists (select 1 from :schema.connect_token t where t.id = a.token_id and t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now()))
   or (a.session_id is not null and not exists (
        select 1 from :schema.identity_session s where s.id = a.session_id and s.user_id = a.user_id and s.expires_at > $6))
   or (a.organization is not null and not exists (
        select 1 from :schema.organization o
          join :schema.member_workspace w on w.organization_id = o.id and w.user_id = a.user_id
            and (a.workspace is null or w.workspace_id = a.workspace or w.slug = a.workspace)
         where (o.id = a.organization or o.slug = a.organization) and w.is_member))
   or (a.session_id is not null and a.organization is not null and exists (
        select 1 from :schema.second_factor_demand d
          join :schema.organization o on o.id = d.organization_id and (o.id = a.organization or o.slug = a.organization)
          join :schema.identity_session s on s.id = a.session_id and not s.second_factor and s.method <> 'openid'
         where d.user_id = a.user_id))`;

/** The indexes of those that no longer hold. */
export async function findEnded(
  on: Queryable,
  authorities: readonly Authority[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const column = (read: (authority: Authority) => string | undefined): (string | null)[] =>
    authorities.map((each) => read(each) ?? null);
  const { rows } = await on.query<{ n: string }>(FIND, [
    column(({ userId }) => userId),
    column(({ tokenId }) => tokenId),
    column(({ sessionId }) => sessionId),
    column(({ organizationId }) => organizationId),
    column(({ workspaceId }) => workspaceId),
    now,
  ]);
  const ended = new Set(rows.map(({ n }) => Number(n) - 1));
  for (const [index, { expiresAtMs }] of authorities.entries())
    if (expiresAtMs !== undefined && expiresAtMs <= now.getTime()) ended.add(index);
  return ended;
}
