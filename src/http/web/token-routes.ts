import { createToken } from '../../tenancy/create-token.ts';
import { listTokens } from '../../tenancy/list-tokens.ts';
import type { MintDeps } from '../../tenancy/mint-token.ts';
import { revokeOwnToken } from '../../tenancy/revoke-token.ts';
import { getMembership, web } from './implement-web.ts';

export function tokenRoutes(deps: MintDeps) {
  return {
    tokens: {
      list: web.tokens.list.handler(({ context, input }) =>
        listTokens(deps.db, context.user.id, context.membership?.organizationId, input),
      ),
      create: web.tokens.create.handler(async ({ context, input }) => {
        const { id, token, expiresAt } = await createToken(
          deps,
          getMembership(context),
          input,
          context.session?.sessionId,
        );
        return { id, token, expiresAt: expiresAt.toISOString() };
      }),
      revoke: web.tokens.revoke.handler(async ({ context, input }) => {
        await revokeOwnToken(deps, context.user.id, input.token);
        return { ok: true } as const;
      }),
    },
  };
}
