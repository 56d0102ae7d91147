import { implement } from '@orpc/server';
import { runtimeContract } from '../../contract/contract.ts';
import type { Queryable } from '../../store/database.ts';
import { findPerson } from '../../tenancy/find-account.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';

/** For programs that hold a token: the names of what its claims give as ids. */
export function callerRouter(db: Queryable) {
  const route = implement(runtimeContract.caller).$context<{ caller: Caller }>();
  return route.router({
    show: route.show.handler(async ({ context: { caller } }) => {
      const { membership, scopes, expiresAtMs, workspaceId } = caller;
      return {
        user: (await findPerson(db, caller.userId)) ?? null,
        organization: membership
          ? { id: membership.organizationId, slug: membership.organizationSlug, name: membership.organizationName }
          : null,
        workspace:
          membership && workspaceId !== undefined
            ? { id: membership.workspaceId, slug: membership.workspaceSlug, name: membership.workspaceName }
            : null,
        scopes: [...scopes],
        expiresAt: new Date(expiresAtMs).toISOString(),
      };
    }),
  });
}
