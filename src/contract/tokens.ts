import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, name, nextCursor, page, timestamp } from './common.ts';

export const SCOPES = ['connect:read', 'connect:write', 'chat', 'jobs:read', 'jobs:write', 'receipts:read'] as const;
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;

export const token = z.object({
  id,
  name: z.string(),
  organization: id,
  workspace: id.optional(),
  scopes: z.array(scope),
  createdAt: timestamp,
  expiresAt: timestamp,
  revokedAt: timestamp.optional(),
});
export type TokenOnWire = z.infer<typeof token>;

export const tokens = {
  list: route('database', 'member-if-named', 'query')
    .route({ method: 'GET', path: '/api/tokens', tags: ['Tokens'], summary: "List the caller's named tokens" })
    .input(z.strictObject({ organization: id.optional(), ...page }))
    .output(z.object({ tokens: z.array(token), ...nextCursor })),
  create: route('database', 'workspace-member', 'body')
    .route({
      method: 'POST',
      path: '/api/tokens',
      successStatus: 201,
      tags: ['Tokens'],
      summary: 'Mint a connect token; it is shown once',
      description:
        'A named token is listed and lives 1 to 365 days (30 by default); an unnamed one lives 15 minutes at most. `expiresIn` is a number of seconds, a number of days if it is 365 or less and the token is named, or text such as "30d", "12h", "15m".',
    })
    .input(
      z.strictObject({
        name: name.optional(),
        organization: id,
        workspace: id.optional(),
        scopes: z.array(scope).min(1).max(SCOPES.length),
        expiresIn: z.union([z.number().int().min(1), z.string().regex(/^\d{1,8}[smhd]$/)]).optional(),
      }),
    )
    .output(z.object({ id, token: z.string(), expiresAt: timestamp })),
  revoke: route('database', 'own')
    .route({ method: 'DELETE', path: '/api/tokens/{token}', tags: ['Tokens'], summary: 'Revoke a token' })
    .input(z.strictObject({ token: id }))
    .output(done),
};
