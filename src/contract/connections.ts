// Connections on the wire. Credentials and the integration provider's ids are never part of it.
import { z } from 'zod';
import { done, id, timestamp } from './common.ts';
import { needsScope } from './needs-scope.ts';

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'must be one line of text');

const workspace = id.optional().describe("Id or slug. Defaults to the token's workspace, then to Default.");
const connectionName = z.string().max(200).nullish();
const status = z.enum(['valid', 'expired', 'invalid']);

export const connection = z.object({
  id,
  organization: id,
  workspace: id,
  provider: z.string(),
  name: z.string(),
  kind: z.enum(['integration-reference', 'local-cloud-profile', 'cloud-credential-process', 'code-host-token']),
  status,
  reason: z.string().optional(),
  expiry: timestamp.optional(),
  lastValidatedAt: timestamp.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ConnectionOnWire = z.infer<typeof connection>;

const capability = z.object({
  command: z.string(),
  provider: z.string(),
  source: z.string(),
  transport: z.string(),
  status,
  connectionId: id,
  name: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  discoveredAt: timestamp,
  expiresAt: timestamp.optional(),
});
export type CapabilityRecord = z.infer<typeof capability>;

const manifest = z.object({ status: z.enum(['online', 'offline']), capabilities: z.record(z.string(), capability) });
export type CapabilityManifest = z.infer<typeof manifest>;

const connector = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  /** What the app is for. */
  purpose: z.string().optional(),
  /** What can be read through a connection to it. */
  reads: z.string().optional(),
  /** What people also look for when they mean it. */
  words: z.array(z.string()).optional(),
  /** Present if it is listed first. */
  popular: z.literal(true).optional(),
  /** Present if it usually holds one person's own data, such as a mailbox. */
  personal: z.literal(true).optional(),
  auth: z.object({ mode: z.string(), provider: z.string() }),
  surface: z.string(),
  codeHost: z.boolean().optional(),
  /** The cloud CLI whose profiles and credentials can be imported. */
  cli: z.string().optional(),
  tools: z.array(
    z.object({
      name: z.string(),
      access: z.enum(['read', 'write']),
      description: z.string(),
      inputSchema: z.unknown(),
    }),
  ),
});

const repositories = z.strictObject({ enforce: z.boolean(), selected: z.array(line(300)).max(1_000) });
/** Whether the service may push what a run did: `branches` means a branch of the run's own, and nothing else. */
const push = z.enum(['off', 'branches']);
const policy = z.object({ actions: z.record(z.string(), z.boolean()), repositories, push });

/** As printed by a cloud CLI's credential process. */
const bundle = z.strictObject({
  Version: z.literal(1),
  AccessKeyId: line(256),
  SecretAccessKey: line(1_024),
  SessionToken: line(8_192).optional(),
  Expiration: z.iso.datetime({ offset: true }).optional(),
});
export type CredentialBundle = z.infer<typeof bundle>;

const common = { provider: id, name: connectionName, workspace };
const newImport = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('local-cloud-profile'),
    ...common,
    profile: line(128).regex(/^[^[\]]+$/, 'must not contain brackets'),
  }),
  z.strictObject({ kind: z.literal('cloud-credential-process'), ...common, bundle }),
  z.strictObject({
    kind: z.literal('code-host-token'),
    ...common,
    token: line(4_096),
    host: z
      .string()
      .max(253)
      .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i, 'must be a host name')
      .optional(),
  }),
]);

const tags = ['Connections'];

export const connections = {
  list: needsScope('connect:read', 'provider')
    .route({
      method: 'GET',
      path: '/connect/connections',
      tags,
      summary: 'List the connections of a workspace, after reconciling them with the integration provider',
    })
    .input(z.strictObject({ workspace }))
    .output(z.object({ connections: z.array(connection) })),
  connectors: needsScope('connect:read', 'provider')
    .route({
      method: 'GET',
      path: '/connect/connectors',
      tags,
      summary: 'The connector catalogue',
      description: '`configured` says whether this deployment has an integration provider.',
    })
    .input(z.strictObject({ workspace }))
    .output(
      z.object({
        connectors: z.array(connector),
        counts: z.object({
          connectors: z.number(),
          tools: z.number(),
          writes: z.number(),
          surfaces: z.record(z.string(), z.number()),
        }),
        configured: z.boolean(),
      }),
    ),
  capabilities: needsScope('connect:read', 'provider')
    .route({ method: 'GET', path: '/connect/capabilities', tags, summary: 'The capability manifest of a workspace' })
    .input(z.strictObject({ workspace }))
    .output(manifest),
  openSession: needsScope('connect:write', 'provider')
    .route({
      method: 'POST',
      path: '/connect/sessions',
      successStatus: 201,
      tags,
      summary: 'Open a session to connect or reconnect an app',
    })
    .input(z.strictObject({ provider: id, name: connectionName, workspace }))
    .output(z.object({ token: z.string(), connectLink: z.string(), expiresAt: timestamp })),
  import: needsScope('connect:write', 'provider')
    .route({
      method: 'POST',
      path: '/connect/connections/import',
      successStatus: 201,
      tags,
      summary: 'Import a cloud profile, a cloud credential bundle or a code-host token',
    })
    .input(newImport)
    .output(z.object({ connection })),
  readPolicy: needsScope('connect:read', 'database')
    .route({
      method: 'GET',
      path: '/connect/connections/{id}/policy',
      inputStructure: 'detailed',
      tags,
      summary: 'Read the policy of a connection',
    })
    .input(z.object({ params: z.strictObject({ id }), query: z.strictObject({ workspace }).optional() }))
    .output(policy),
  writePolicy: needsScope('connect:write', 'database')
    .route({
      method: 'PUT',
      path: '/connect/connections/{id}/policy',
      inputStructure: 'detailed',
      tags,
      summary: 'Change the policy of a connection',
      description:
        'Each part you send replaces the stored one. Actions that are not listed use the default: reads on, writes off.',
    })
    .input(
      z.object({
        params: z.strictObject({ id }),
        query: z.strictObject({ workspace }).optional(),
        body: z.strictObject({
          actions: z.record(z.string().min(1).max(200), z.boolean()).optional(),
          repositories: repositories.optional(),
          push: push.optional(),
        }),
      }),
    )
    .output(policy),
  remove: needsScope('connect:write', 'provider')
    .route({
      method: 'DELETE',
      path: '/connect/connections/{id}',
      inputStructure: 'detailed',
      tags,
      summary: 'Remove a connection here and, as soon as it is reachable, at the integration provider',
    })
    .input(z.object({ params: z.strictObject({ id }), query: z.strictObject({ workspace }).optional() }))
    .output(done),
};
