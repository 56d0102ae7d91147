// A described route as an operation of the OpenAPI document.
import type { OpenAPI } from '@orpc/openapi';
import { z } from 'zod';
import type { DescribedAnswer, Content, DescribedRoute } from './described-route.ts';
import { withRefusals } from './failures.ts';
import { securityOf } from './security.ts';

type Schema = OpenAPI.SchemaObject;

export function toOperation(route: DescribedRoute): OpenAPI.OperationObject {
  const { tag, path, summary, description, caller, query, headers = {}, body, answers, failure = 'Error' } = route;
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(query),
    ...Object.entries(headers).map(([name, text]): OpenAPI.ParameterObject => ({
      name,
      in: 'header',
      description: text,
      schema: { type: 'string' },
    })),
  ];
  const operation: OpenAPI.OperationObject = {
    operationId: operationId(route),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(caller),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { required: true, content: toContent([body]) } } : {}),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
  };
  return withRefusals(path, operation, failure);
}

/** Schemas with an id are under `$defs`: see lift-definitions.ts. */
export function toSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as Schema;
}

function operationId({ method, path }: DescribedRoute): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(\w)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`;
}

function pathParameters(path: string): OpenAPI.ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): OpenAPI.ParameterObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: schema as NonNullable<OpenAPI.ParameterObject['schema']>,
  }));
}

function toResponse({ text, content, headers }: DescribedAnswer): OpenAPI.ResponseObject {
  return {
    description: text,
    ...(headers
      ? {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
          ),
        }
      : {}),
    ...(content ? { content: toContent(content) } : {}),
  };
}

function toContent(content: readonly Content[]): Record<string, OpenAPI.MediaTypeObject> {
  return Object.fromEntries(content.map(({ type, schema }) => [type, { schema: toSchema(schema) }]));
}
