import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { needsScope } from '../needs-scope.ts';
import { scope } from '../tokens.ts';

const named = z.object({ id, slug: z.string(), name: z.string() });

export const caller = {
  show: needsScope('any', 'database')
    .route({
      method: 'GET',
      path: '/caller',
      tags: ['Tokens'],
      summary: 'Who the token acts for, where, and what it may do',
    })
    .output(
      z.object({
        /** Null if the account was deleted. */
        user: z.object({ id, name: z.string(), email: z.string() }).nullable(),
        /** Null for a token without one, and for anyone who is not a member of it. */
        organization: named.nullable(),
        /** The one that the token is restricted to. */
        workspace: named.nullable(),
        scopes: z.array(scope),
        expiresAt: timestamp,
      }),
    ),
};
