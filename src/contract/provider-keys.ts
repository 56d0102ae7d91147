import { z } from 'zod';
import { route } from './authority.ts';
import { id, timestamp } from './common.ts';
import { KEY_USERS, type KeyUser, UNUSED, type UnusedReason } from './key-use.ts';

/** Which requests currently use a stored key. */
const keyUse = z.object({
  /** Empty exactly when `unused` says why. */
  by: z.array(z.enum(Object.keys(KEY_USERS) as [KeyUser, ...KeyUser[]])),
  unused: z.enum(Object.keys(UNUSED) as [UnusedReason, ...UnusedReason[]]).optional(),
  /** The workspace has a Models account, which pays for the models that it routes. */
  behindModelsAccount: z.boolean().optional(),
});

/** What is stored for a provider in one scope, without the key itself. */
const providerKeyState = z.object({
  provider: id,
  name: z.string(),
  /** Whether chat requests can use a key of this provider. */
  executable: z.boolean(),
  /** Whether the pages of the app show it; the others are saved through the API only. */
  hasCard: z.boolean(),
  configured: z.boolean(),
  /** The first 12 hexadecimal characters of the SHA-256 of the key. */
  fingerprint: z.string().optional(),
  updatedAt: timestamp.optional(),
  /** The deployment's wrapping key has changed: remove the key and enter it again. */
  undecryptable: z.boolean().optional(),
  /** Present when a key is stored. */
  use: keyUse.optional(),
});
export type ProviderKeyState = z.infer<typeof providerKeyState>;

// A missing scope or key has its own error message, so neither is required here.
const place = z.union([id, z.literal('')]).nullish();
const scope = { organization: place, workspace: place };

export const providerKeys = {
  list: route('database', 'key-scope', 'query')
    .route({
      method: 'GET',
      path: '/api/provider-keys',
      tags: ['Provider keys'],
      summary: 'List providers and whether they have a key in a scope',
      description:
        '`workspace` is a workspace, or `global` together with `organization` for the organization-wide scope.',
    })
    .input(z.strictObject(scope))
    .output(z.object({ providers: z.array(providerKeyState) })),
  save: route('provider', 'key-scope:manage', 'body')
    .route({
      method: 'PUT',
      path: '/api/provider-keys/{provider}',
      tags: ['Provider keys'],
      summary: 'Validate, encrypt and store a key; a stored key is never overwritten',
    })
    .input(z.strictObject({ provider: id, ...scope, key: z.string().max(4_096).nullish() }))
    .output(z.object({ configured: z.literal(true), message: z.string(), use: keyUse })),
  remove: route('database', 'key-scope:manage', 'query')
    // Only GET routes take their input from the query by default.
    .route({
      method: 'DELETE',
      path: '/api/provider-keys/{provider}',
      inputStructure: 'detailed',
      tags: ['Provider keys'],
      summary: 'Remove a key',
    })
    .input(z.object({ params: z.strictObject({ provider: id }), query: z.strictObject(scope) }))
    .output(z.object({ configured: z.literal(false), message: z.string() })),
};
