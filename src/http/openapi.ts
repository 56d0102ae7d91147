// The whole interface as OpenAPI 3.1. Most of it is generated from the typed contract: the web server's routes at `/`,
// the runtime's under the prefix that the gateway strips. Routes that are not JSON, or that belong to another protocol,
// are described in reference/; a test checks that every mounted route is included.
import { OpenAPIGenerator, type OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { buildInfo } from '../process/build-info.ts';
import { connectContract, runtimeContract, webContract } from '../contract/contract.ts';
import { type Authorities, authoritiesOf, withAuthority } from './reference/authority.ts';
import { CHANGE_ROUTES } from './reference/describe-changes.ts';
import { CHAT_ROUTES } from './reference/describe-chat.ts';
import { IDENTITY_ROUTES } from './reference/describe-identity.ts';
import { EVENT_STREAMS, OTHER_FORMS, RUNTIME_ROUTES } from './reference/describe-runtime.ts';
import { SCIM_ROUTES } from './reference/describe-scim.ts';
import type { CallerKind, DescribedRoute } from './reference/described-route.ts';
import { FAILURE_SHAPES, refusalResponses, withRefusals } from './reference/failures.ts';
import { liftDefinitions } from './reference/lift-definitions.ts';
import { securityOf, securitySchemes } from './reference/security.ts';
import { TAGS } from './reference/tags.ts';
import { toOperation, toSchema } from './reference/to-operation.ts';

type Paths = NonNullable<OpenAPI.Document['paths']>;
type Operations = Record<string, OpenAPI.OperationObject>;

const RUNTIME_PREFIX = '/runtime';
const INFO = {
  title: 'Agent platform service',
  description:
    'Chat, connections, tools, background runs and receipts of one self-hosted service. Every error outside /v1, OAuth and SCIM has the shape Error; `error` is for programs, `message` for people. The routes under /runtime/agents, /runtime/jobs and /runtime/service are also served without /runtime.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** The schema of arbitrary JSON is recursive; it is printed as "any value" instead. */
const converter = new ZodToJsonSchemaConverter({
  interceptors: [
    ({ schema, next }) => (schema._zod.def.type === 'lazy' ? [true, { description: 'Any JSON.' }] : next()),
  ],
});

export async function openApiDocument(publicUrl: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [converter] });
  const info = { ...INFO, version: buildInfo().version };
  const web = await generator.generate(webContract, {
    info,
    servers: [{ url: publicUrl, description: 'This service' }],
  });
  const runtime = await generator.generate(runtimeContract, { info });
  const connect = await generator.generate(connectContract, { info });
  const { part: paths, schemas } = liftDefinitions(
    withRoutes(
      {
        ...complete(web.paths, '', 'session', authoritiesOf(webContract)),
        ...complete(runtime.paths, RUNTIME_PREFIX, 'connectToken', authoritiesOf(runtimeContract)),
        ...complete(connect.paths, '', 'connectToken', authoritiesOf(connectContract)),
      },
      [...CHAT_ROUTES, ...CHANGE_ROUTES, ...IDENTITY_ROUTES, ...SCIM_ROUTES, ...RUNTIME_ROUTES],
    ),
  );
  return {
    ...web,
    tags: tagsOf(paths),
    paths,
    components: {
      schemas: {
        ...(schemas as Record<string, OpenAPI.SchemaObject>),
        ...Object.fromEntries(Object.entries(FAILURE_SHAPES).map(([name, schema]) => [name, toSchema(schema)])),
      },
      responses: refusalResponses(paths),
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}

/** Adds to every operation of the contract who may call it, how it fails, and whether it can be streamed. */
function complete(
  paths: OpenAPI.Document['paths'],
  prefix: string,
  caller: CallerKind,
  authorities: Authorities,
): Paths {
  const operationsOf = (inner: string, operations: Operations): [string, OpenAPI.OperationObject][] =>
    Object.entries(operations).map(([method, operation]) => {
      const path = `${prefix}${inner}`;
      const secured = { ...operation, security: securityOf(caller) };
      const described = withAuthority(
        inOtherForm(path, method, followable(path, method, secured)),
        authorities.get(`${method.toUpperCase()} ${inner}`),
      );
      return [method, withRefusals(path, described, 'Error')];
    });
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([inner, operations]) => [
      `${prefix}${inner}`,
      Object.fromEntries(operationsOf(inner, operations as Operations)),
    ]),
  );
}

function inOtherForm(path: string, method: string, operation: OpenAPI.OperationObject): OpenAPI.OperationObject {
  const other = OTHER_FORMS[path];
  const ok = operation.responses?.['200'];
  if (other === undefined || method !== 'get' || !ok || '$ref' in ok) return operation;
  const content = { ...ok.content, [other.type]: { schema: toSchema(other.schema) } };
  return { ...operation, responses: { ...operation.responses, 200: { ...ok, content } } };
}

function followable(path: string, method: string, operation: OpenAPI.OperationObject): OpenAPI.OperationObject {
  const stream = EVENT_STREAMS[path];
  const ok = operation.responses?.['200'];
  if (stream === undefined || method !== 'get' || !ok || '$ref' in ok) return operation;
  const lastEventId: OpenAPI.ParameterObject = {
    name: 'last-event-id',
    in: 'header',
    description: 'The last event that was received; an event stream continues after it.',
    schema: { type: 'string' },
  };
  return {
    ...operation,
    description: [operation.description, `With \`accept: text/event-stream\`, as events. ${stream.text}`]
      .filter(Boolean)
      .join(' '),
    parameters: [...(operation.parameters ?? []), lastEventId],
    responses: {
      ...operation.responses,
      200: { ...ok, content: { ...ok.content, 'text/event-stream': { schema: toSchema(stream.event) } } },
    },
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

/** A tag that is missing from the table comes last, without a description, which a test of the document detects. */
function tagsOf(paths: Paths): OpenAPI.TagObject[] {
  const used = new Set(
    Object.values(paths).flatMap((operations) =>
      Object.values(operations as Operations).flatMap(({ tags = [] }) => tags),
    ),
  );
  const unknown = [...used].filter((name) => !(name in TAGS));
  return [
    ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...unknown.map((name) => ({ name })),
  ];
}
