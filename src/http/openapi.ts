// The typed interface as OpenAPI 3.1, printed from the contract: the web server's routes at `/`, the runtime's under
// the prefix that the gateway strips.
import { OpenAPIGenerator, type OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { errorBody } from '../contract/common.ts';
import { connectContract, runtimeContract, webContract } from '../contract/contract.ts';

const RUNTIME_PREFIX = '/runtime';
const REFUSAL = { description: 'A refusal or a failure', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };

export async function openApiDocument(publicUrl: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const info = { title: 'Agent platform service', version: '1' };
  const web = await generator.generate(webContract, { info, servers: [{ url: publicUrl }] });
  const runtime = await generator.generate(runtimeContract, { info });
  const connect = await generator.generate(connectContract, { info });
  return {
    ...web,
    paths: { ...complete(web.paths, '', 'session'), ...complete(runtime.paths, RUNTIME_PREFIX, 'connectToken'), ...complete(connect.paths, '', 'connectToken') },
    components: {
      ...web.components,
      ...runtime.components,
      ...connect.components,
      schemas: { ...web.components?.schemas, ...runtime.components?.schemas, ...connect.components?.schemas, Error: z.toJSONSchema(errorBody) as OpenAPI.SchemaObject },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'A session: the cookie of a signed-in browser, or the session token as bearer.' },
        connectToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A connect token, from POST /api/tokens.' },
      },
    },
  };
}

/** Adds to every operation who may call it and how it fails. */
function complete(paths: OpenAPI.Document['paths'], prefix: string, scheme: string): NonNullable<OpenAPI.Document['paths']> {
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([path, operations]) => [
      `${prefix}${path}`,
      Object.fromEntries(Object.entries(operations as Record<string, OpenAPI.OperationObject>).map(([method, operation]) => [method, { ...operation, security: [{ [scheme]: [] }], responses: { ...operation.responses, default: REFUSAL } }])),
    ]),
  );
}
