import { describe, expect, it } from 'vitest';
import { type Document, findDocumentFaults, operationsOf } from '../../test/support/openapi-faults.ts';
import { openApiDocument } from './openapi.ts';

const document = JSON.parse(JSON.stringify(await openApiDocument('https://example.org'))) as Document & { servers: unknown };
const operation = (method: string, path: string) => document.paths[path]?.[method];

describe('the printed contract', () => {
  it('is a sound OpenAPI 3.1 document', () => {
    expect(findDocumentFaults(document)).toEqual([]);
    expect(document.servers).toEqual([{ url: 'https://example.org' }]);
  });

  it('is looked at by a check that finds faults', () => {
    const broken = structuredClone(document) as unknown as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const me = broken.paths['/api/me']?.['get'] as Record<string, unknown>;
    Object.assign(me, { operationId: 'tokens.list', security: [{ nobodyKnows: [] }], parameters: [{ name: 'x', in: 'path' }], responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'nonsense', $ref: '#/components/schemas/Nothing' } } } } } });
    const faults = findDocumentFaults(broken as unknown as Document).join('\n');
    for (const fault of ['nobodyKnows', 'is missing or taken', 'are declared', 'does not say how it fails', 'refers to nothing', 'a schema is none']) expect(faults).toContain(fault);
  });

  it.each([
    ['post', '/v1/chat/completions', 'OpenAiError'],
    ['post', '/v1/messages', 'AnthropicError'],
    ['post', '/api/oauth/token', 'OAuthError'],
    ['post', '/connect/call', 'Error'],
    ['get', '/runtime/jobs', 'Error'],
  ])('%s %s fails in the shape %s', (method, path, shape) => {
    expect(operation(method, path)?.responses?.['default']?.content?.['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${shape}` });
  });

  it.each(['/runtime/jobs/{id}/events', '/runtime/service/stream', '/connect/connections'])('GET %s is JSON, or an event stream', (path) => {
    expect(Object.keys(operation('get', path)?.responses?.['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream']);
    expect(operation('get', path)?.parameters?.map(({ name }) => name)).toContain('last-event-id');
  });

  it('says what a body of a raw route must hold, from the schema that checks it', () => {
    const schemaOf = (path: string): object | undefined => operation('post', path)?.requestBody?.content['application/json']?.schema;
    expect(schemaOf('/api/chat')).toMatchObject({ required: ['organization', 'model', 'message'], additionalProperties: false });
    expect(schemaOf('/connect/call')).toMatchObject({ required: ['connection', 'tool'], additionalProperties: false });
    expect(schemaOf('/api/auth/sign-up/email')).toMatchObject({ required: ['name', 'email', 'password'] });
  });

  it('asks nobody for a token only where nobody is asked', () => {
    const open = operationsOf(document).filter(({ operation: { security } }) => security?.length === 0).map(({ path }) => path);
    expect(open.filter((path) => !/^\/(?:api\/auth|api\/oauth|api\/sign-in-options$|\.well-known|healthz|openapi\.json|metrics|runtime\/(?:healthz|runtime))/.test(path))).toEqual([]);
  });
});
