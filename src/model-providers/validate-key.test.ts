import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { type KeyProvider, startKeyProvider, status } from '../../test/support/models/key-provider.ts';
import { providerName } from './providers.ts';
import { KEY_VALIDATION_TIMEOUT_MS, validateKey } from './validate-key.ts';

let provider: KeyProvider;
beforeAll(async () => {
  provider = await startKeyProvider();
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.asked.length = 0;
  provider.answer = status(200);
});

describe('the request', () => {
  it('is GET /v1/models with a bearer token at OpenAI', async () => {
    expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one' })).toBe('valid');
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0]).toMatchObject({
      method: 'GET',
      url: '/v1/models',
      headers: { authorization: 'Bearer sk-one' },
    });
  });

  it('is GET /v1/models?limit=1 with x-api-key and the version at Anthropic', async () => {
    expect(await validateKey({ provider: 'anthropic', url: provider.url, key: 'sk-ant-one' })).toBe('valid');
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0]).toMatchObject({
      method: 'GET',
      url: '/v1/models?limit=1',
      headers: { 'x-api-key': 'sk-ant-one', 'anthropic-version': '2023-06-01' },
    });
    expect(provider.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is given 10000 ms', () => expect(KEY_VALIDATION_TIMEOUT_MS).toBe(10_000));
});

describe('the outcome', () => {
  it.each([
    [200, 'valid'],
    [204, 'valid'],
    [401, 'rejected'],
    [403, 'rejected'],
    [400, 'unavailable'],
    [404, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('of %i is %s', async (code, outcome) => {
    provider.answer = status(code);
    expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one' })).toBe(outcome);
  });

  it.each([301, 302, 307, 308])(
    'of a redirect with %i is unavailable, and the redirect is not followed',
    async (code) => {
      provider.answer = status(code, { location: `${provider.url}/elsewhere` });
      expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one' })).toBe('unavailable');
      expect(provider.asked.map(({ url }) => url)).toEqual(['/v1/models']);
    },
  );

  it('of a provider that does not answer in time is unreachable', async () => {
    provider.answer = () => {};
    expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one', timeoutMs: 100 })).toBe(
      'unreachable',
    );
  });

  it('of a provider that is not there is unreachable', async () => {
    expect(await validateKey({ provider: 'openai', url: `http://127.0.0.1:${await freePort()}`, key: 'sk-one' })).toBe(
      'unreachable',
    );
  });

  it('of a connection that is cut is unreachable', async () => {
    provider.answer = (response) => void response.destroy();
    expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one' })).toBe('unreachable');
  });

  it('depends on the status alone: a body that never ends is not waited for', async () => {
    provider.answer = (response) => void response.writeHead(200).write('{"data":[');
    expect(await validateKey({ provider: 'openai', url: provider.url, key: 'sk-one' })).toBe('valid');
  });

  it.each(['sk-a b', 'sk-a\r\nx-injected: 1', 'sk-ключ', 'sk-a\0'])(
    'of a key that no header can carry (%j) is rejected without a call',
    async (key) => {
      expect(await validateKey({ provider: 'openai', url: provider.url, key })).toBe('rejected');
      expect(provider.asked).toEqual([]);
    },
  );
});

it.each([
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['some-cloud', 'Some Cloud'],
])('names %s %s', (id, name) => expect(providerName(id)).toBe(name));
