import { expect, it } from 'vitest';
import { narrowScopes, parseScopes } from './oauth-scopes.ts';

it('gives read access when a client requests no scopes', () => {
  expect(parseScopes(undefined)).toEqual({ scopes: ['connect:read'], offline: false });
  expect(parseScopes('offline_access')).toEqual({ scopes: ['connect:read'], offline: true });
});

it('keeps our scopes, once each, and leaves out others', () => {
  expect(parseScopes('chat connect:write openid chat')).toEqual({ scopes: ['connect:write', 'chat'], offline: false });
});

it('refuses a request for nothing but unknown scopes', () => {
  expect(() => parseScopes('openid profile')).toThrow(expect.objectContaining({ error: 'invalid_scope' }));
});

it('narrows to a part of what was granted and never widens', () => {
  expect(narrowScopes(['connect:read', 'chat'], ['chat'])).toEqual(['chat']);
  expect(narrowScopes(['connect:read'], ['connect:read', 'connect:write'])).toBeUndefined();
  expect(narrowScopes(['connect:read'], [])).toBeUndefined();
});
