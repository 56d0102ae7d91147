// Connects identity, which issues tokens for grants, with tenancy, which defines tokens.
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { EndAccessDeps } from '../../identity/sessions/end-access.ts';
import type { EndSessionDeps } from '../../identity/sessions/end-session.ts';
import type { OAuthDeps } from '../../identity/oauth/oauth-deps.ts';
import type { Database } from '../../store/database.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';
import { mintToken } from '../../tenancy/tokens/mint-token.ts';
import { revokeToken, revokeTokensOf, revokeTokensOfSession } from '../../tenancy/tokens/revoke-token.ts';

export function tenancyTokens(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly key: KeyObject;
}): Pick<OAuthDeps, 'mintToken' | 'revokeToken'> & Pick<EndAccessDeps, 'revokeTokensOf'> & EndSessionDeps {
  return {
    async mintToken(wanted) {
      const membership = await getMembership(deps.db, wanted);
      if (!membership.isWorkspaceMember) throw new AppError('workspace_membership_required');
      return mintToken(deps, wanted);
    },
    revokeToken: (db, tokenId) => revokeToken({ ...deps, db }, tokenId),
    revokeTokensOf: (db, userId, exceptSession) => revokeTokensOf({ ...deps, db }, userId, exceptSession),
    revokeTokensOfSession: (db, userId, sessionId) => revokeTokensOfSession({ ...deps, db }, userId, sessionId),
  };
}
