import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, name, nextCursor, page, timestamp } from './common.ts';

export const SCOPES = ['connect:read', 'connect:write', 'chat', 'jobs:read', 'jobs:write', 'receipts:read'] as const;
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;

const token = z.object({
  id,
  name: z.string(),
  organization: id,
  workspace: id.optional(),
  scopes: z.array(scope),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** A rotated token may be listed with a moment that lies ahead: it works until then. */
  revokedAt: timestamp.optional(),
  /** The models that it may be used for; absent if all. */
  models: z.array(z.string()).optional(),
  /** The cap on it and on the tokens that replace it, in US dollars per calendar month (UTC). */
  monthlyUsd: z.number().optional(),
  /** When it was last used, to within a minute. */
  lastUsedAt: timestamp.optional(),
  /** The token that replaced it when it was rotated. */
  replacedBy: id.optional(),
});
export type TokenOnWire = z.infer<typeof token>;

const expiresIn = z.union([z.number().int().min(1), z.string().regex(/^\d{1,8}[smhd]$/)]).optional();
const pattern = z.string().trim().min(1).max(200);

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
        'A named token is listed and lives 1 to 365 days (30 by default); an unnamed one lives 15 minutes at most. `expiresIn` is a number of seconds, a number of days if it is 365 or less and the token is named, or text such as "30d", "12h", "15m". `models` restricts a named token to models whose names match one of the patterns (`*` is the wildcard), `monthlyUsd` to an amount per calendar month (UTC).',
    })
    .input(
      z.strictObject({
        name: name.optional(),
        organization: id,
        workspace: id.optional(),
        scopes: z.array(scope).min(1).max(SCOPES.length),
        expiresIn,
        models: z.array(pattern).min(1).max(50).optional(),
        monthlyUsd: z.number().min(0).max(1_000_000_000).optional(),
      }),
    )
    .output(z.object({ id, token: z.string(), expiresAt: timestamp })),
  rotate: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/tokens/{token}/rotate',
      successStatus: 201,
      tags: ['Tokens'],
      summary: 'Replace a named token; the old one works for a while',
      description:
        'The new token has the same name, scopes, workspace, models and cap, and what it spends counts for the same token. `overlap` is how long the old one works: text such as "1h" (the default), at most "7d"; "0s" ends it at once. `expiresIn` is the lifetime of the new one, by default that of the old one.',
    })
    .input(
      z.strictObject({
        token: id,
        overlap: z
          .string()
          .regex(/^\d{1,8}[smhd]$/)
          .optional(),
        expiresIn,
      }),
    )
    .output(z.object({ id, token: z.string(), expiresAt: timestamp, oldExpiresAt: timestamp })),
  revoke: route('database', 'own')
    .route({ method: 'DELETE', path: '/api/tokens/{token}', tags: ['Tokens'], summary: 'Revoke a token' })
    .input(z.strictObject({ token: id }))
    .output(done),
};
