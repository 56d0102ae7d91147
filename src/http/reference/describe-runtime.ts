// The runtime's routes outside the typed contract: tools, webhook, streams, files, and operator routes.
import { z } from 'zod';
import { callAnswer, callRequest } from '../../contract/calls.ts';
import { connection } from '../../contract/connections.ts';
import { jobEvent } from '../../contract/jobs.ts';
import { FORMAT } from '../../contract/read-saved-receipts.ts';
import { receipt } from '../../contract/receipts.ts';
import { PATCH_TYPE } from '../../contract/patches/patch-type.ts';
import { deliveryAnswer } from '../../contract/standing/triggers.ts';
import { CONTROL_TASKS } from '../../runs/delivery/control-tasks.ts';
import { organizationOrder } from '../runtime/debug-organization.ts';
import { DEBUG_INDEX } from '../runtime/debug-index.ts';
import { DEBUG_ANSWERS, type DebugRoute } from './debug-answers.ts';
import { binary, type DescribedRoute, json } from './described-route.ts';

const TOOLS = 'Tools';
const OPERATIONS = 'Operations';
const plan = z.object({ plan: z.enum(['free', 'team', 'business']) });
const task = z.object({ task: z.enum(CONTROL_TASKS) });
const DEBUG_BODIES: Readonly<Record<string, z.ZodType>> = {
  'POST /service-debug/organizations': organizationOrder,
  'PUT /service-debug/organizations/:org/plan': plan,
  'POST /service-debug/jobs': task,
};
const listed = z.object({ query: z.string().optional(), cursor: z.string().optional(), limit: z.int().optional() });
const DEBUG_QUERIES: Readonly<Record<string, z.ZodObject>> = {
  'GET /service-debug/people': listed,
  'GET /service-debug/organizations': listed,
  'GET /service-debug/acts': listed.omit({ query: true }),
};
const DEBUG_STATUS: Readonly<Record<string, number>> = {
  'POST /service-debug/organizations': 201,
  'POST /service-debug/jobs': 202,
};

const rpcAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullish(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.number().int(), message: z.string() }).optional(),
  })
  .meta({ id: 'JsonRpcAnswer' });
const connectionTool = z.object({
  name: z.string(),
  access: z.enum(['read', 'write']),
  description: z.string(),
  inputSchema: z.unknown(),
  enabled: z.boolean(),
});
const exportHead = z.object({ format: z.literal(FORMAT), stream: z.string(), genesis: z.string() });
const exportedReceipt = z.object({
  index: z.number().int(),
  prev: z.string(),
  hash: z.string(),
  text: z.string().describe('The exact text that is hashed.'),
});
const cell = z.object({ text: z.string(), tone: z.enum(['good', 'bad', 'plain']).optional() });
const dashboardFigures = z.object({
  figures: z.looseObject({
    at: z.string(),
    version: z.string(),
    uptimeSeconds: z.number(),
    database: z.looseObject({ ok: z.boolean() }),
    stored: z.looseObject({}).optional(),
    platform: z.looseObject({}).optional(),
    broker: z.looseObject({}).optional(),
  }),
  view: z.looseObject({ status: cell, at: z.string(), values: z.record(z.string(), cell) }),
});

const debugRoutes = (Object.keys(DEBUG_ANSWERS) as DebugRoute[]).map((key): DescribedRoute => {
  const [method, path = ''] = key.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  const text = key === 'GET /service-debug' ? 'index of the diagnostics' : DEBUG_INDEX[key];
  const body = DEBUG_BODIES[key];
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    tag: OPERATIONS,
    caller: 'debugToken',
    summary: `Diagnostics: ${text}`,
    ...(DEBUG_QUERIES[key] ? { query: DEBUG_QUERIES[key] } : {}),
    ...(body ? { body: { type: 'application/json', schema: body } } : {}),
    answers: { [DEBUG_STATUS[key] ?? 200]: json('The report', DEBUG_ANSWERS[key]) },
  };
});

export const RUNTIME_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'POST',
    path: '/connect/call',
    tag: TOOLS,
    caller: 'connectToken',
    summary: 'Call a tool of a connection; writes receipts',
    description:
      "The token needs connect:read, and connect:write for a tool that writes. `status` is the provider's; `ok` says whether it is 2xx. A tool that is disabled and one that does not exist are the same 404.",
    body: { type: 'application/json', schema: callRequest },
    answers: { 200: json("The provider's answer", callAnswer) },
  },
  {
    method: 'POST',
    path: '/connect/mcp',
    tag: TOOLS,
    caller: 'connectToken',
    summary: 'Every tool of a workspace as one MCP server (Streamable HTTP, stateless); writes no receipts',
    query: z.object({ workspace: z.string().optional(), tools: z.literal('search').optional() }),
    body: { type: 'application/json', schema: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() }) },
    answers: {
      200: {
        text: 'A JSON-RPC answer',
        content: [
          { type: 'application/json', schema: rpcAnswer },
          { type: 'text/event-stream', schema: rpcAnswer },
        ],
      },
      202: { text: 'A notification was accepted' },
    },
  },
  {
    method: 'GET',
    path: '/connect/connections/{id}/tools',
    tag: TOOLS,
    caller: 'connectToken',
    summary: 'List the tools of a connection, and which are enabled',
    query: z.object({ workspace: z.string().optional() }),
    answers: { 200: json('The tools', z.object({ tools: z.array(connectionTool) })) },
  },
  {
    method: 'POST',
    path: '/connect/integrations/webhook',
    tag: 'Connections',
    caller: 'webhookSignature',
    summary: "The integration provider's webhook",
    description:
      'The hexadecimal HMAC-SHA256 of the raw body is its only authentication, in x-provider-hmac-sha256 or x-nango-hmac-sha256.',
    body: { type: 'application/json', schema: z.looseObject({ type: z.string() }) },
    answers: {
      200: json(
        'Processed, or acknowledged and ignored',
        z.object({ ok: z.literal(true), ignored: z.literal(true).optional(), reason: z.string().optional() }),
      ),
      401: json('Signature missing or invalid', z.object({ ok: z.literal(false), error: z.string() })),
    },
  },
  {
    method: 'POST',
    path: '/hooks/{id}',
    tag: 'Triggers',
    caller: 'deliverySignature',
    summary: 'Deliver to a trigger',
    description:
      "The signature of the trigger's source over the raw body is its only authentication. At most 1 MiB, and 60 a minute to one trigger. Slack's question for the address is answered with its challenge.",
    body: { type: 'application/json', schema: z.unknown() },
    answers: {
      200: json('Acknowledged and ignored', deliveryAnswer.ignored),
      202: json('A run was started', deliveryAnswer.started),
    },
  },
  {
    method: 'GET',
    path: '/runtime/service/export',
    tag: 'Receipts',
    caller: 'connectToken',
    summary: 'Export a stream as lines of JSON, to verify without the service',
    query: z.object({ stream: z.string() }),
    answers: {
      200: {
        text: 'First a line that names the stream, then one line per receipt',
        content: [{ type: 'application/x-ndjson', schema: z.union([exportHead, exportedReceipt]) }],
      },
    },
  },
  {
    method: 'GET',
    path: '/runtime/jobs/{id}/artifacts/{name}',
    tag: 'Runs',
    caller: 'connectToken',
    summary: 'Download a file that a run produced',
    description:
      'The name is the path below `/workspace/artifacts`; its slashes need no encoding. The content type follows from the name. The file is an attachment, with a policy under which nothing in it may run.',
    answers: { 200: { text: 'The file', content: [{ type: '*/*', schema: binary }] } },
  },
  {
    method: 'GET',
    path: '/runtime/factory/live',
    tag: 'Runs',
    caller: 'connectToken',
    summary: "WebSocket: changes to the runs in the caller's workspaces",
    description:
      'Each message is JSON with `type` job, event or receipt, and `cursor`. Browsers pass the token as `token`.',
    query: z.object({ token: z.string().optional(), after: z.string().optional() }),
    answers: { 101: { text: 'The connection becomes a WebSocket' } },
  },
  {
    method: 'GET',
    path: '/healthz',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: 'Health of the web server',
    answers: { 200: json('Healthy', z.object({ ok: z.literal(true), version: z.string(), build: z.string() })) },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: 'This document',
    answers: {
      200: json(
        'OpenAPI 3.1',
        z.looseObject({
          openapi: z.string(),
          info: z.looseObject({}),
          paths: z.looseObject({}),
          components: z.looseObject({}),
        }),
      ),
    },
  },
  {
    method: 'GET',
    path: '/runtime/healthz',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: 'Health of the runtime',
    answers: {
      200: json(
        'Healthy',
        z.object({
          ok: z.literal(true),
          role: z.string(),
          version: z.string(),
          build: z.string(),
          database: z.string(),
          uptimeSeconds: z.number(),
        }),
      ),
    },
  },
  {
    method: 'GET',
    path: '/runtime/runtime',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: 'The dashboard: only counts, no tenant data',
    answers: { 200: { text: 'A page', content: [{ type: 'text/html', schema: z.string() }] } },
  },
  {
    method: 'GET',
    path: '/runtime/runtime/figures',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: "The dashboard's figures",
    answers: { 200: json('The figures', dashboardFigures) },
  },
  {
    method: 'GET',
    path: '/metrics',
    tag: OPERATIONS,
    caller: 'anyone',
    summary: 'Prometheus metrics; private at the gateway',
    answers: {
      200: { text: 'Prometheus text', content: [{ type: 'text/plain', schema: z.string() }] },
      404: {
        text: 'Requested from a host other than the loopback',
        content: [{ type: 'text/plain', schema: z.string() }],
      },
    },
  },
  ...debugRoutes,
];

/** Routes of the contract that answer with an event stream if `accept` is `text/event-stream`. */
export const EVENT_STREAMS: Readonly<Record<string, { readonly text: string; readonly event: z.ZodType }>> = {
  '/runtime/jobs/{id}/events': {
    text: 'One message per event with its index as the id; ends with the run.',
    event: jobEvent,
  },
  '/runtime/service/stream': {
    text: 'One message per receipt with its index as the id; requires `stream`.',
    event: receipt,
  },
  '/connect/connections': {
    text: 'The whole list at the start and after every change.',
    event: z.object({ connections: z.array(connection) }),
  },
};

/** Routes of the contract that answer in another form if `accept` names it. */
export const OTHER_FORMS: Readonly<Record<string, { readonly type: string; readonly schema: z.ZodType }>> = {
  '/runtime/jobs/{id}/changes': { type: PATCH_TYPE, schema: binary },
};
