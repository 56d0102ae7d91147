// The whole interface as OpenAPI 3.1. Most of it is printed from the typed contract: the web server's routes at `/`,
// the runtime's under the prefix that the gateway strips. Routes that are no JSON, or that belong to a protocol of
// somebody else, are described in reference/; a test finds every route that the servers mount in here.
import { OpenAPIGenerator, type OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { serviceVersion } from '../base/service-version.ts';
import { errorBody } from '../contract/common.ts';
import { connectContract, runtimeContract, webContract } from '../contract/contract.ts';
import { CHANGE_ROUTES } from './reference/describe-changes.ts';
import { CHAT_ROUTES } from './reference/describe-chat.ts';
import { IDENTITY_ROUTES } from './reference/describe-identity.ts';
import { EVENT_STREAMS, RUNTIME_ROUTES } from './reference/describe-runtime.ts';
import type { DescribedRoute } from './reference/described-route.ts';
import { toFailure, toOperation, toSchema } from './reference/to-operation.ts';

type Paths = NonNullable<OpenAPI.Document['paths']>;
type Operations = Record<string, OpenAPI.OperationObject>;

const RUNTIME_PREFIX = '/runtime';
const DESCRIPTION = 'Chat, connections, tools, background runs and receipts of one self-hosted service. Every error outside /v1 and OAuth has the shape Error; `error` is meant for programs, `message` for people.';

const SCHEMAS = {
  Error: errorBody,
  OpenAiError: z.object({ error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }) }),
  AnthropicError: z.object({ type: z.literal('error'), error: z.object({ type: z.string(), message: z.string() }) }),
  OAuthError: z.object({ error: z.string(), error_description: z.string().optional() }),
};

const SECURITY: Record<string, OpenAPI.SecuritySchemeObject> = {
  session: { type: 'http', scheme: 'bearer', description: 'A session: the cookie of a signed-in browser, or the session token as bearer.' },
  connectToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A connect token, from POST /api/tokens or OAuth; also taken as x-api-key.' },
  webhookSignature: { type: 'apiKey', in: 'header', name: 'x-provider-hmac-sha256', description: 'Hexadecimal HMAC-SHA256 of the raw body.' },
  debugToken: { type: 'http', scheme: 'bearer', description: 'SERVICE_DEBUG_TOKEN, or a JWT signed with SERVICE_DEBUG_JWT_SECRET.' },
};

export async function openApiDocument(publicUrl: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const info = { title: 'Agent platform service', version: serviceVersion(), description: DESCRIPTION };
  const web = await generator.generate(webContract, { info, servers: [{ url: publicUrl }] });
  const runtime = await generator.generate(runtimeContract, { info });
  const connect = await generator.generate(connectContract, { info });
  const paths = withRoutes(
    { ...complete(web.paths, '', 'session'), ...complete(runtime.paths, RUNTIME_PREFIX, 'connectToken'), ...complete(connect.paths, '', 'connectToken') },
    [...CHAT_ROUTES, ...CHANGE_ROUTES, ...IDENTITY_ROUTES, ...RUNTIME_ROUTES],
  );
  return {
    ...web,
    tags: tagsOf(paths),
    paths,
    components: {
      ...web.components,
      ...runtime.components,
      ...connect.components,
      schemas: {
        ...web.components?.schemas,
        ...runtime.components?.schemas,
        ...connect.components?.schemas,
        ...Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, toSchema(schema)])),
      },
      securitySchemes: SECURITY,
    },
  };
}

/** Adds to every operation of the contract who may call it, how it fails, and that it may be followed. */
function complete(paths: OpenAPI.Document['paths'], prefix: string, scheme: string): Paths {
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([inner, operations]) => {
      const path = `${prefix}${inner}`;
      return [path, Object.fromEntries(Object.entries(operations as Operations).map(([method, operation]) => [method, followable(path, method, { ...operation, security: [{ [scheme]: [] }], responses: { ...operation.responses, default: toFailure('Error') } })]))];
    }),
  );
}

function followable(path: string, method: string, operation: OpenAPI.OperationObject): OpenAPI.OperationObject {
  const stream = EVENT_STREAMS[path];
  const ok = operation.responses?.['200'];
  if (stream === undefined || method !== 'get' || !ok || '$ref' in ok) return operation;
  const lastEventId: OpenAPI.ParameterObject = { name: 'last-event-id', in: 'header', description: 'The last event that was read; an event stream goes on after it.', schema: { type: 'string' } };
  return {
    ...operation,
    description: [operation.description, `With accept: text/event-stream as events. ${stream}`].filter(Boolean).join(' '),
    parameters: [...(operation.parameters ?? []), lastEventId],
    responses: { ...operation.responses, 200: { ...ok, content: { ...ok.content, 'text/event-stream': {} } } },
  };
}

function withRoutes(paths: Paths, routes: readonly DescribedRoute[]): Paths {
  const all = { ...paths };
  for (const route of routes) {
    const method = route.method.toLowerCase();
    if (all[route.path]?.[method as 'get']) throw new Error(`${route.method} ${route.path} is described twice`);
    all[route.path] = { ...all[route.path], [method]: toOperation(route) };
  }
  return all;
}

function tagsOf(paths: Paths): OpenAPI.TagObject[] {
  const names = Object.values(paths).flatMap((operations) => Object.values(operations as Operations).flatMap(({ tags = [] }) => tags));
  return [...new Set(names)].map((name) => ({ name }));
}
