// The part of the diagnostics that programs may rely on; the rest is for people to read.
import { z } from 'zod';
import { plan } from '../../contract/organizations.ts';
import type { DEBUG_INDEX } from '../runtime/debug-index.ts';

export type DebugRoute = keyof typeof DEBUG_INDEX | 'GET /service-debug';

const statement = z.looseObject({
  sql: z.string(),
  count: z.number(),
  failures: z.number(),
  meanMs: z.number(),
  maxMs: z.number(),
});
const run = z.looseObject({ id: z.string(), kind: z.string(), status: z.string(), attempt: z.number() });
const broker = z.union([
  z.looseObject({
    reachable: z.literal(true),
    replica: z.string(),
    replicas: z.number(),
    leases: z.number(),
    groups: z.array(z.looseObject({ group: z.string() })),
    waiting: z.array(z.looseObject({ task: z.string(), reason: z.string() })),
  }),
  z.looseObject({ reachable: z.literal(false), reason: z.string() }),
]);
const organization = { id: z.string(), slug: z.string(), plan };
const done = z.object({ ok: z.literal(true) });
const state = z.enum(['open', 'disabled', 'deleted']);
const cursor = z.string().optional();

export const DEBUG_ANSWERS = {
  'GET /service-debug': z.object({
    ok: z.literal(true),
    version: z.string(),
    routes: z.record(z.string(), z.string()),
  }),
  'GET /service-debug/health': z.object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  }),
  'GET /service-debug/processes': z.object({
    processes: z.array(
      z.looseObject({
        id: z.string(),
        role: z.string(),
        host: z.string(),
        pid: z.number(),
        version: z.string(),
        state: z.enum(['running', 'stopping', 'lost']),
        startedAt: z.string(),
        seenAt: z.string(),
        seenAgoSeconds: z.number(),
        figures: z.record(z.string(), z.number()),
      }),
    ),
  }),
  'GET /service-debug/config': z.object({
    variables: z.array(
      z.object({
        name: z.string(),
        group: z.string(),
        source: z.enum(['environment', 'file', 'default', 'unset']),
        secret: z.boolean(),
        value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        help: z.string(),
      }),
    ),
  }),
  'GET /service-debug/database': z.looseObject({
    schema: z.string(),
    searchPath: z.looseObject({ holds: z.boolean() }),
    server: z.looseObject({ version: z.string() }),
    pool: z.looseObject({ poolMax: z.number(), busy: z.number(), waiting: z.number() }),
    connections: z.array(z.looseObject({ application: z.string(), state: z.string(), connections: z.number() })),
    migrations: z.array(z.looseObject({ version: z.number(), name: z.string() })),
    tables: z.array(z.looseObject({ name: z.string(), bytes: z.number() })),
    slowestStatements: z.array(statement),
  }),
  'GET /service-debug/receipts': z.looseObject({
    total: z.number(),
    streams: z.number(),
    exact: z.boolean(),
    checkpoints: z.array(z.looseObject({ id: z.number(), at: z.string(), streams: z.number(), root: z.string() })),
    slowestStatements: z.array(statement),
  }),
  'GET /service-debug/jobs': z.looseObject({
    queued: z.number(),
    running: z.number(),
    completed: z.number(),
    failed: z.number(),
    aborted: z.number(),
    waiting: z.record(z.string(), z.number()),
    own: z.array(run),
    due: z.array(run),
    refused: z.array(run),
    broker,
  }),
  'GET /service-debug/broker': broker,
  'GET /service-debug/sandbox': z.looseObject({
    reachable: z.boolean(),
    ok: z.boolean().optional(),
    driver: z.string().optional(),
    reason: z.string().optional(),
    fix: z.string().optional(),
  }),
  'POST /service-debug/jobs': z.object({ job: run }),
  'POST /service-debug/organizations': z.looseObject({
    ok: z.literal(true),
    organization: z.object({ ...organization, name: z.string() }),
    owner: z.looseObject({ user: z.string(), name: z.string(), email: z.string() }).optional(),
    invitation: z.looseObject({ id: z.string(), url: z.string() }).optional(),
  }),
  'PUT /service-debug/organizations/:org/plan': z.object({ ok: z.literal(true), organization: z.object(organization) }),
  'GET /service-debug/people': z.object({
    people: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        state,
        createdAt: z.string(),
        lastSeenAt: z.string().optional(),
        organizations: z.array(z.object({ slug: z.string(), role: z.string() })),
      }),
    ),
    cursor,
  }),
  'POST /service-debug/people/:id/disable': done,
  'POST /service-debug/people/:id/enable': done,
  'POST /service-debug/people/:id/end-sessions': done,
  'POST /service-debug/people/:id/remove-codes': done,
  'POST /service-debug/people/:id/reset-password': z.object({
    ok: z.literal(true),
    link: z.string(),
    expiresAt: z.string(),
  }),
  'DELETE /service-debug/people/:id': done,
  'GET /service-debug/organizations': z.object({
    organizations: z.array(
      z.looseObject({
        ...organization,
        name: z.string(),
        state,
        createdAt: z.string(),
        members: z.number(),
        erasedAt: z.string().optional(),
      }),
    ),
    cursor,
  }),
  'POST /service-debug/organizations/:id/disable': done,
  'POST /service-debug/organizations/:id/enable': done,
  'POST /service-debug/organizations/:id/end-sessions': done,
  'POST /service-debug/organizations/:id/restore': done,
  'DELETE /service-debug/organizations/:id': done,
  'GET /service-debug/acts': z.object({
    acts: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        operator: z.string(),
        act: z.string(),
        kind: z.enum(['person', 'organization']),
        subject: z.string(),
      }),
    ),
    cursor,
  }),
} as const satisfies Record<DebugRoute, z.ZodType>;
