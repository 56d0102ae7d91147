// What a run was started with, and so what it may do: the scopes of the token, which it never exceeds, and the token or
// OAuth grant that must not be revoked while it lasts. Membership is never stored: it is read each time it matters.
import { SCOPES, type Scope } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { isUnnamedTokenId } from '../../tenancy/tokens/token-id.ts';
import type { Run, RunAuthority } from './run.ts';

export const NO_AUTHORITY: RunAuthority = {
  startedWith: undefined,
  scopes: [],
  tokenId: undefined,
  grantId: undefined,
};

/** Browser session tokens and tokens of OAuth grants both have no name, so the grant is looked up. */
export async function readAuthority(
  on: Queryable,
  { scopes, tokenId }: Pick<Caller, 'scopes' | 'tokenId'>,
): Promise<RunAuthority> {
  const unnamed = tokenId !== undefined && isUnnamedTokenId(tokenId);
  const grantId = unnamed
    ? (
        await on.query<{ grant_id: string }>('select grant_id from :schema.oauth_access_token where token_id = $1', [
          tokenId,
        ])
      ).rows[0]?.grant_id
    : undefined;
  const startedWith = grantId !== undefined ? 'grant' : unnamed ? 'session' : 'token';
  return { startedWith, scopes: SCOPES.filter((scope) => scopes.has(scope)), tokenId, grantId };
}

/** Why a run may no longer go on, as its person is told. The SQL function run_lost_authority decides which it is. */
export const LOST_AUTHORITY = {
  account_shut: 'The account of the person who started the run is disabled or deleted.',
  organization_deleted: 'The organization was deleted.',
  organization_paused: 'The operator of the service has paused the organization.',
  token_revoked: 'The token that the run was started with was revoked.',
  grant_revoked: 'The access of the app that started the run was revoked.',
  membership_removed: 'The person who started the run is no longer a member of the organization.',
  workspace_membership_removed: 'The person who started the run is no longer a member of its workspace.',
} as const satisfies Record<string, string>;

export type LostAuthority = keyof typeof LOST_AUTHORITY;

const LOST = 'select :schema.run_lost_authority($1, $2, $3, $4, $5) as lost';

/** Undefined while the run may go on. */
export async function findLostAuthority(
  on: Queryable,
  {
    organizationId,
    workspaceId,
    createdBy,
    authority,
  }: Pick<Run, 'organizationId' | 'workspaceId' | 'createdBy' | 'authority'>,
): Promise<LostAuthority | undefined> {
  const { rows } = await on.query<{ lost: LostAuthority | null }>(LOST, [
    organizationId ?? null,
    workspaceId ?? null,
    createdBy ?? null,
    authority.tokenId ?? null,
    authority.grantId ?? null,
  ]);
  return rows[0]?.lost ?? undefined;
}

export type ConnectScope = Extract<Scope, `connect:${string}`>;

/** What a run may do with connected apps: nothing, read, or write, which includes reading. */
export function connectScopes({ authority: { scopes } }: Pick<Run, 'authority'>): readonly ConnectScope[] {
  if (scopes.includes('connect:write')) return ['connect:read', 'connect:write'];
  return scopes.includes('connect:read') ? ['connect:read'] : [];
}
