import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { checkDebugAccess, type DebugSettings } from './debug-access.ts';

const TOKEN = 'debug-token-of-the-operator';
const SECRET = 'debug-secret-of-the-operator-0123456789';
const OFF: DebugSettings = { SERVICE_DEBUG_TOKEN: undefined, SERVICE_DEBUG_JWT_SECRET: undefined };
const BY_TOKEN: DebugSettings = { ...OFF, SERVICE_DEBUG_TOKEN: TOKEN };
const BY_JWT: DebugSettings = { ...OFF, SERVICE_DEBUG_JWT_SECRET: SECRET };
const BOTH: DebugSettings = { SERVICE_DEBUG_TOKEN: TOKEN, SERVICE_DEBUG_JWT_SECRET: SECRET };

const key = (secret: string): Uint8Array => new TextEncoder().encode(secret);
const sign = (claims: Record<string, unknown> = {}, secret = SECRET, alg = 'HS256'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(key(secret));
const now = Math.floor(Date.now() / 1000);

const TABLE: {
  says: string;
  settings: DebugSettings;
  authorization: () => string | undefined | Promise<string>;
  expected: string;
}[] = [
  {
    says: 'nothing configured and nothing sent',
    settings: OFF,
    authorization: () => undefined,
    expected: 'service_debug_disabled',
  },
  {
    says: 'nothing configured, whatever is sent',
    settings: OFF,
    authorization: () => `Bearer ${TOKEN}`,
    expected: 'service_debug_disabled',
  },
  { says: 'no header', settings: BOTH, authorization: () => undefined, expected: 'unauthenticated' },
  { says: 'an empty header', settings: BOTH, authorization: () => '', expected: 'unauthenticated' },
  { says: 'an empty bearer', settings: BOTH, authorization: () => 'Bearer ', expected: 'unauthenticated' },
  { says: 'another scheme', settings: BY_TOKEN, authorization: () => `Basic ${TOKEN}`, expected: 'unauthenticated' },
  { says: 'the token without a scheme', settings: BY_TOKEN, authorization: () => TOKEN, expected: 'unauthenticated' },
  { says: 'the debug token', settings: BY_TOKEN, authorization: () => `Bearer ${TOKEN}`, expected: 'token' },
  {
    says: 'the debug token, scheme in lower case',
    settings: BOTH,
    authorization: () => `bearer ${TOKEN}`,
    expected: 'token',
  },
  {
    says: 'a debug token of several words',
    settings: { ...OFF, SERVICE_DEBUG_TOKEN: 'three plain words' },
    authorization: () => 'Bearer three plain words',
    expected: 'token',
  },
  {
    says: 'the first of several words',
    settings: { ...OFF, SERVICE_DEBUG_TOKEN: 'three plain words' },
    authorization: () => 'Bearer three',
    expected: 'unauthenticated',
  },
  {
    says: 'words with another space between them',
    settings: { ...OFF, SERVICE_DEBUG_TOKEN: 'three plain words' },
    authorization: () => 'Bearer three  plain words',
    expected: 'unauthenticated',
  },
  {
    says: 'a prefix of the token',
    settings: BY_TOKEN,
    authorization: () => `Bearer ${TOKEN.slice(0, -1)}`,
    expected: 'unauthenticated',
  },
  {
    says: 'the token and more',
    settings: BY_TOKEN,
    authorization: () => `Bearer ${TOKEN}x`,
    expected: 'unauthenticated',
  },
  {
    says: 'the debug secret itself as a token',
    settings: BY_JWT,
    authorization: () => `Bearer ${SECRET}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT while only a token is configured',
    settings: BY_TOKEN,
    authorization: async () => `Bearer ${await sign()}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT signed with the debug token',
    settings: BY_TOKEN,
    authorization: async () => `Bearer ${await sign({}, TOKEN)}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT of the debug secret, without expiry',
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({ sub: 'olga' })}`,
    expected: 'jwt olga',
  },
  {
    says: 'a JWT of the debug secret, not yet expired',
    settings: BOTH,
    authorization: async () => `Bearer ${await sign({ exp: now + 60 })}`,
    expected: 'jwt',
  },
  {
    says: 'an expired JWT',
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({ exp: now - 5 })}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT that is not valid yet',
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({ nbf: now + 60 })}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT of another secret',
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({}, 'another-secret-altogether-0123456789')}`,
    expected: 'unauthenticated',
  },
  {
    says: 'a JWT of another algorithm',
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({}, SECRET.padEnd(64, '0').slice(0, SECRET.length), 'HS512')}`,
    expected: 'unauthenticated',
  },
  {
    says: 'an unsigned JWT',
    settings: BY_JWT,
    authorization: () => `Bearer ${new UnsecuredJWT({}).encode()}`,
    expected: 'unauthenticated',
  },
  {
    says: "a member's connect token under the same secret",
    settings: BY_JWT,
    authorization: async () => `Bearer ${await sign({ aud: 'connect', sub: 'usr_1' })}`,
    expected: 'unauthenticated',
  },
];

describe('access to diagnostics', () => {
  it.each(TABLE)('$says: $expected', async ({ settings, authorization, expected }) => {
    const header = await authorization();
    const outcome = await checkDebugAccess(settings, header === undefined ? {} : { authorization: header }).then(
      (caller) => [caller.by, 'subject' in caller ? caller.subject : undefined].filter(Boolean).join(' '),
      (error: Error) => error.message,
    );
    expect(outcome).toBe(expected);
  });
});
