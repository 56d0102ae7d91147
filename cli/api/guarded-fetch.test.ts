import { afterEach, expect, it, vi } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed', 'NODE_EXTRA_CA_CERTS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'an authority that this machine does not know', 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'cannot be verified', 'whole chain'],
  ['CERT_HAS_EXPIRED', 'has expired', 'renew it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host name', 'Use the host name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS', 'http://'],
  ['ECONNREFUSED', 'connection refused', 'Check the address'],
  ['ESOMETHING', 'ESOMETHING', 'Check the address'],
])('%s is explained', async (code, reason, next) => {
  vi.stubGlobal('fetch', () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })),
  );
  await expect(guardedFetch(new Request('https://service.test/x'))).rejects.toMatchObject({
    message: expect.stringContaining(`cannot reach https://service.test: `),
    exit: 4,
    next: expect.stringContaining(next),
  });
  await expect(guardedFetch(new Request('https://service.test/x'))).rejects.toThrow(reason);
});
