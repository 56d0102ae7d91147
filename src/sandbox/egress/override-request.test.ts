import { describe, expect, it } from 'vitest';
import { isQueryPath } from './egress-rules.ts';
import { isOverridingHeader, mayMeanAnotherMethod } from './override-request.ts';

describe('a request that could be read as another', () => {
  it.each([
    'x-http-method-override',
    'X-HTTP-Method',
    'x-method-override',
    'x_http_method_override',
    'x-original-method',
    'x-original-url',
    'x-rewrite-url',
    'x-original-uri',
    'x-forwarded-prefix',
    'x_forwarded_host',
    'forwarded',
  ])('is so by a header: %s', (name) => expect(isOverridingHeader(name)).toBe(true));
  it.each([
    'accept',
    'content-type',
    'git-protocol',
    'anthropic-version',
    'mcp-session-id',
    'x-github-api-version',
    'user-agent',
    'x-methodology',
  ])('is not by this header: %s', (name) => expect(isOverridingHeader(name)).toBe(false));

  it.each([
    '_method=delete',
    '_METHOD=put',
    'x-http-method-override=PUT',
    'a=1&%5Fmethod=delete',
    '$httpMethod=DELETE',
  ])('is so by its query: %s', (query) =>
    expect(mayMeanAnotherMethod(new URLSearchParams(query), undefined)).toBe(true),
  );
  it.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded; charset=utf-8',
    'multipart/form-data; boundary=a',
  ])('is so by a form: %s', (type) => expect(mayMeanAnotherMethod(new URLSearchParams(), type)).toBe(true));
  it.each([
    ['service=git-upload-pack', undefined],
    ['q=_method', 'application/x-git-upload-pack-request'],
    ['method=x', 'application/json'],
  ])('is not by %s, %s', (query, type) => expect(mayMeanAnotherMethod(new URLSearchParams(query), type)).toBe(false));

  it.each(['/graphql', '/graphql/', '/GraphQL', '/%67raphql', '/graphql;v=1', '//graphql'])(
    'is to where queries go, however that is spelled: %s',
    (path) => expect(isQueryPath({ queries: ['/graphql'] }, path)).toBe(true),
  );
  it.each(['/graphql/x', '/graph', '/repos/graphql', '/'])('is not to there: %s', (path) =>
    expect(isQueryPath({ queries: ['/graphql'] }, path)).toBe(false),
  );
});
