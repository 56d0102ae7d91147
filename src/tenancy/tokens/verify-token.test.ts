import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig } from '../../base/config.ts';
import { connectKey } from './connect-key.ts';
import { createTokenVerifier } from './verify-token.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const seconds = NOW / 1000;
const key = createSecretKey(Buffer.from('the-secret-of-the-tests'));
const clock = (): Date => new Date(NOW);
const verify = (token: string): ReturnType<ReturnType<typeof createTokenVerifier>['verify']> =>
  createTokenVerifier(key, clock).verify(token);

const claims = {
  sub: 'usr_1',
  org: 'org_1',
  scope: 'chat connect:read',
  jti: 'tok_1',
  iat: seconds,
  exp: seconds + 60,
};
const sign = (payload: Record<string, unknown>, signingKey = key, alg = 'HS256'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(signingKey);

/** A token made by hand, for what a library refuses to make. */
function forge(header: object, payload: object, secret: string | Buffer): string {
  const body = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

describe('a connect token', () => {
  it('is read when it is signed with our key', async () => {
    expect(await verify(await sign(claims))).toEqual({
      userId: 'usr_1',
      organizationId: 'org_1',
      workspaceId: undefined,
      scopes: new Set(['chat', 'connect:read']),
      tokenId: 'tok_1',
      expiresAtMs: NOW + 60_000,
    });
  });

  it.each([
    ['without an organization', { org: undefined }],
    ['without an id', { jti: undefined }],
    ['without a scope', { scope: undefined }],
    ['restricted to a workspace', { ws: 'ws_1' }],
    ['for the audience connect', { aud: 'connect' }],
    ['for several audiences, connect among them', { aud: ['other', 'connect'] }],
    ['valid from now', { nbf: seconds }],
  ])('is valid %s', async (_name, change) => {
    expect(await verify(await sign({ ...claims, ...change }))).toMatchObject({ userId: 'usr_1' });
  });

  it.each([
    ['expired', { exp: seconds }],
    ['long expired', { exp: seconds - 86_400 }],
    ['not valid yet', { nbf: seconds + 60 }],
    ['without an expiry', { exp: undefined }],
    ['with an expiry that is no number', { exp: '2999-01-01' }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is no text', { sub: 7 }],
    ['with an organization that is no text', { org: ['org_1'] }],
    ['with a workspace that is no text', { ws: {} }],
    ['with an id that is no text', { jti: 1 }],
    ['with scopes that are no text', { scope: ['chat'] }],
    ['with a zero byte in an id', { sub: 'usr_1\0' }],
    ['for another audience', { aud: 'other' }],
    ['for other audiences', { aud: ['other', 'connect2'] }],
    ['for no audience at all', { aud: [] }],
  ])('is refused %s', async (_name, change) => {
    expect(await verify(forge({ alg: 'HS256' }, { ...claims, ...change }, 'the-secret-of-the-tests'))).toBeUndefined();
  });

  it('gives no scope that the service does not know', async () => {
    const token = await sign({ ...claims, scope: 'admin chat  CHAT connect:*' });
    expect((await verify(token))?.scopes).toEqual(new Set(['chat']));
  });

  it('is refused when another secret signed it', async () => {
    expect(await verify(await sign(claims, createSecretKey(Buffer.from('another'))))).toBeUndefined();
  });

  it('is refused unsigned', async () => {
    expect(await verify(new UnsecuredJWT(claims).encode())).toBeUndefined();
    for (const alg of ['none', 'None', 'NONE'])
      expect(await verify(forge({ alg }, claims, 'the-secret-of-the-tests'))).toBeUndefined();
    const [header, payload] = (await sign(claims)).split('.');
    expect(await verify(`${header}.${payload}.`)).toBeUndefined();
  });

  it('is refused under any algorithm but HS256, with our key or with a key pair', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await verify(await sign(claims, privateKey as never, 'RS256'))).toBeUndefined();
    // The classic confusion: a public key used as the HMAC secret, and our HMAC announced as RS256.
    expect(
      await verify(forge({ alg: 'HS256' }, claims, publicKey.export({ type: 'spki', format: 'pem' }))),
    ).toBeUndefined();
    for (const alg of ['RS256', 'HS384', 'HS512', 'ES256'])
      expect(await verify(forge({ alg }, claims, 'the-secret-of-the-tests'))).toBeUndefined();
    const long = createSecretKey(Buffer.alloc(64, 7));
    expect(await createTokenVerifier(long, clock).verify(await sign(claims, long, 'HS512'))).toBeUndefined();
  });

  it('is refused when it has critical extensions', async () => {
    expect(await verify(forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims, 'the-secret-of-the-tests'))).toBeUndefined();
  });

  it('is refused when it is oversized or not a token at all', async () => {
    expect(await verify(await sign({ ...claims, padding: 'x'.repeat(10_000) }))).toBeUndefined();
    for (const text of ['', '.', '..', 'a.b', 'a.b.c', 'a.b.c.d', 'null', '%00', 'ey'.repeat(3_000)])
      expect(await verify(text)).toBeUndefined();
  });

  it('is refused once it has expired, although it was verified before', async () => {
    let now = NOW;
    const verifier = createTokenVerifier(key, () => new Date(now));
    const token = await sign(claims);
    expect(await verifier.verify(token)).toBeDefined();
    now = NOW + 59_999;
    expect(await verifier.verify(token)).toBeDefined();
    now = NOW + 60_000;
    expect(await verifier.verify(token)).toBeUndefined();
  });

  it('is refused when one character of a verified token changes', async () => {
    const verifier = createTokenVerifier(key, clock);
    const token = await sign(claims);
    expect(await verifier.verify(token)).toBeDefined();
    const [header, payload = '', signature] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'usr_2' })).toString('base64url');
    expect(await verifier.verify([header, other, signature].join('.'))).toBeUndefined();
    expect(await verifier.verify([header, payload, `A${signature?.slice(1)}`].join('.'))).toBeUndefined();
  });
});

describe('the secret of connect tokens', () => {
  const config = (environment: Record<string, string>): Config => readConfig(environment);

  it('is SERVICE_CONNECT_JWT_SECRET, and AUTH_SECRET when that is not set', async () => {
    const token = await sign(claims, createSecretKey(Buffer.from('fallback')));
    const verifies = async (environment: Record<string, string>): Promise<boolean> =>
      (await createTokenVerifier(connectKey(config(environment)), clock).verify(token)) !== undefined;
    expect(await verifies({ AUTH_SECRET: 'fallback' })).toBe(true);
    expect(await verifies({ SERVICE_CONNECT_JWT_SECRET: 'fallback', AUTH_SECRET: 'other' })).toBe(true);
    expect(await verifies({ SERVICE_CONNECT_JWT_SECRET: 'own', AUTH_SECRET: 'fallback' })).toBe(false);
  });

  it('stops the process when neither is set, naming both', () => {
    expect(() => connectKey(config({}))).toThrow(ConfigError);
    expect(() => connectKey(config({}))).toThrow(/SERVICE_CONNECT_JWT_SECRET.*AUTH_SECRET/);
  });
});
