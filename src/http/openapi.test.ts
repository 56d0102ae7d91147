import { describe, expect, it } from 'vitest';
import { type Document, findDocumentFaults, operationsOf } from '../../test/support/http/openapi-faults.ts';
import { NEEDS } from '../contract/authority.ts';
import { openApiDocument } from './openapi.ts';

const document = JSON.parse(JSON.stringify(await openApiDocument('https://example.org'))) as Document & {
  servers: unknown;
};
const operation = (method: string, path: string) => document.paths[path]?.[method];

describe('the printed contract', () => {
  it('is a valid OpenAPI 3.1 document', () => {
    expect(findDocumentFaults(document)).toEqual([]);
    expect(document.servers).toEqual([{ url: 'https://example.org', description: 'This service' }]);
  });

  it('is validated by a check that finds faults', () => {
    const broken = structuredClone(document) as unknown as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const me = broken.paths['/api/me']?.['get'] as Record<string, unknown>;
    Object.assign(me, {
      operationId: 'tokens.list',
      security: [{ nobodyKnows: [] }],
      parameters: [{ name: 'x', in: 'path' }],
      responses: {
        200: {
          description: '',
          content: { 'application/json': { schema: { type: 'nonsense', $ref: '#/components/schemas/Nothing' } } },
        },
      },
    });
    const faults = findDocumentFaults(broken as unknown as Document).join('\n');
    for (const fault of [
      'nobodyKnows',
      'is missing or taken',
      'does not say what is refused',
      'are declared',
      'does not say how it fails',
      'refers to nothing',
      'a schema is none',
    ])
      expect(faults).toContain(fault);
  });

  it.each([
    [
      'an answer without a body',
      { 200: { description: '' } },
      'GET /api/me: 200 has no schema: describe its answer in src/http/reference',
    ],
    [
      'an answer without a schema',
      { 201: { description: '', content: { 'text/event-stream': {} } } },
      'GET /api/me: 201 has no schema for text/event-stream',
    ],
    [
      'a schema that says nothing',
      { 200: { description: '', content: { 'application/json': { schema: {} } } } },
      'GET /api/me: 200 has no schema for application/json',
    ],
  ])('is not sound with %s', (_what, responses, fault) => {
    const broken = structuredClone(document) as { paths: Record<string, Record<string, object>> };
    Object.assign(broken.paths['/api/me']?.['get'] ?? {}, { responses });
    expect(findDocumentFaults(broken as unknown as Document)).toContain(fault);
  });

  it('is invalid with a tag that has no description', () => {
    expect(findDocumentFaults({ ...document, tags: [...document.tags, { name: 'New' }] })).toEqual([
      'the tag New has no description: src/http/reference/tags.ts',
    ]);
  });

  it.each([
    ['post', '/v1/chat/completions', 'ChatCompletion', 'ChatCompletionChunk'],
    ['post', '/v1/responses', 'ResponseObject', 'ResponseEvent'],
    ['post', '/v1/messages', 'Message', 'MessageEvent'],
  ])('%s %s answers with %s, or with events %s', (method, path, whole, event) => {
    expect(operation(method, path)?.responses?.['200']?.content).toEqual({
      'application/json': { schema: { $ref: `#/components/schemas/${whole}` } },
      'text/event-stream': { schema: { $ref: `#/components/schemas/${event}` } },
    });
  });

  it.each([
    ['post', '/v1/messages', ['400', '401', '403', '404', '413', '429'], 'AnthropicError'],
    ['get', '/v1/models', ['400', '401', '403', '429'], 'OpenAiError'],
    ['get', '/api/me', ['401', '403', '429'], 'Error'],
    ['get', '/healthz', ['400'], undefined],
  ])('%s %s may be refused with %j', (method, path, statuses, shape) => {
    const responses = operation(method, path)?.responses ?? {};
    expect(Object.keys(responses).filter((status) => status.startsWith('4'))).toEqual(statuses);
    for (const status of statuses)
      expect(responses[status]?.$ref).toBe(
        `#/components/responses/${shape === undefined ? 'Malformed' : `${shape}${status}`}`,
      );
  });

  it('has files as bytes', () => {
    for (const [path, type] of [
      ['/api/attachments/{id}', 'application/octet-stream'],
      ['/runtime/jobs/{id}/artifacts/{name}', '*/*'],
    ] as const)
      expect(operation('get', path)?.responses?.['200']?.content).toEqual({
        [type]: { schema: { type: 'string', format: 'binary' } },
      });
  });

  it.each([
    ['post', '/v1/chat/completions', 'OpenAiError'],
    ['post', '/v1/messages', 'AnthropicError'],
    ['post', '/api/oauth/token', 'OAuthError'],
    ['post', '/connect/call', 'Error'],
    ['get', '/runtime/jobs', 'Error'],
  ])('%s %s fails in the shape %s', (method, path, shape) => {
    expect(operation(method, path)?.responses?.['default']?.content?.['application/json']?.schema).toEqual({
      $ref: `#/components/schemas/${shape}`,
    });
  });

  it.each(['/runtime/jobs/{id}/events', '/runtime/service/stream', '/connect/connections'])(
    'GET %s is JSON, or an event stream',
    (path) => {
      expect(Object.keys(operation('get', path)?.responses?.['200']?.content ?? {})).toEqual([
        'application/json',
        'text/event-stream',
      ]);
      expect(operation('get', path)?.parameters?.map(({ name }) => name)).toContain('last-event-id');
    },
  );

  it('describes the body of a raw route by the schema that validates it', () => {
    const schemaOf = (path: string): object | undefined =>
      operation('post', path)?.requestBody?.content['application/json']?.schema;
    expect(schemaOf('/api/chat')).toMatchObject({
      required: ['organization', 'model', 'message'],
      additionalProperties: false,
    });
    expect(schemaOf('/connect/call')).toMatchObject({ required: ['connection', 'tool'], additionalProperties: false });
    expect(schemaOf('/api/auth/sign-up/email')).toMatchObject({ required: ['name', 'email', 'password'] });
  });

  it('requires no token only for routes that are open to everyone', () => {
    const open = operationsOf(document)
      .filter(({ operation: { security } }) => security?.length === 0)
      .map(({ path }) => path);
    expect(
      open.filter(
        (path) =>
          !/^\/(?:api\/auth|api\/oauth|api\/sign-in-options$|\.well-known|healthz|openapi\.json|metrics|runtime\/(?:healthz|runtime))/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });
});

describe('who may call a route', () => {
  it('is printed from the contract, for every route that it declares', () => {
    expect(operation('patch', '/api/organizations/{org}/policy')).toMatchObject({
      description: expect.stringContaining(`Who may call it: ${NEEDS['settings:policy']}`),
      'x-authority': NEEDS['settings:policy'],
    });
    expect(operation('post', '/runtime/agents/factory/jobs')).toMatchObject({
      'x-authority': 'A token with the scope `jobs:write`.',
    });
  });
});
