// The caller behind a connect token, as the database knows it now: one statement reads whether the token is revoked and
// the user's membership.
import type { Scope } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';
import { findMembership, membershipIn, type MembershipRow, toMembership } from '../members/find-membership.ts';
import type { Membership } from '../members/membership.ts';
import type { TokenClaims } from './verify-token.ts';

export interface Caller {
  readonly userId: string;
  /** Undefined for a token without organization context. */
  readonly organizationId: string | undefined;
  /** The workspace that the token is restricted to, if any. */
  readonly workspaceId: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly tokenId: string | undefined;
  /** The connections that the token is restricted to, by their capability keys. */
  readonly capabilities?: ReadonlySet<string> | undefined;
  readonly expiresAtMs: number;
  /** In the token's workspace, or in Default. Undefined without an organization, and for anyone who is not a member. */
  readonly membership: Membership | undefined;
}

type CallerRow = { revoked: boolean } & (MembershipRow | { organization_id: null });

const ENDED = 'revoked_at is not null and (replaced_by is null or revoked_at <= now())';

/** One statement for each combination of id and slug. */
const statements: (string | undefined)[] = [];

function callerIn(organization: string, workspace: string): string {
  const form = (organization.includes('_') ? 2 : 0) + (workspace.includes('_') ? 1 : 0);
  return (statements[form] ??= writeStatement(organization, workspace));
}

const writeStatement = (organization: string, workspace: string): string => `
  select r.revoked, s.* from (select exists (select 1 from :schema.connect_token where id = $4 and ${ENDED}) as revoked) r
    left join lateral (${membershipIn(organization, workspace)}) s on true`;

/** Undefined when the token is revoked, to be answered with 401. */
export async function findCaller(db: Queryable, claims: TokenClaims): Promise<Caller | undefined> {
  const { userId, organizationId, workspaceId, scopes, tokenId, capabilities, expiresAtMs } = claims;
  const [organization, workspace] = [organizationId ?? '', workspaceId ?? 'default'];
  const { rows } = await db.query<CallerRow>(callerIn(organization, workspace), [
    userId,
    organization,
    workspace,
    tokenId ?? null,
  ]);
  const [row] = rows;
  if (!row || row.revoked) return undefined;
  const membership = row.organization_id === null ? undefined : toMembership(userId, row);
  return {
    userId,
    organizationId: membership?.organizationId ?? organizationId,
    workspaceId: workspaceId === undefined ? undefined : (membership?.workspaceId ?? workspaceId),
    scopes,
    tokenId,
    capabilities,
    expiresAtMs,
    membership,
  };
}

/**
 * The caller's membership in the workspace that a request names by id or slug; without a name, in the token's own or in
 * Default. A token that is restricted to a workspace resolves no other.
 */
export async function findCallerMembership(
  db: Queryable,
  caller: Caller,
  workspace: string | undefined,
): Promise<Membership | undefined> {
  const { membership, organizationId } = caller;
  if (workspace === undefined || workspace === membership?.workspaceId || workspace === membership?.workspaceSlug)
    return membership;
  if (organizationId === undefined || caller.workspaceId !== undefined) return undefined;
  return findMembership(db, { userId: caller.userId, organizationId, workspaceId: workspace });
}
