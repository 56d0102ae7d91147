// Checks the signature and claims of a connect token. Revocation and membership are read from the database on every
// call (find-caller.ts).
import type { KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../base/clock.ts';
import { SCOPES, type Scope } from '../contract/tokens.ts';
import { createTtlCache } from '../timing/bounded-cache.ts';

export interface TokenClaims {
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly tokenId: string | undefined;
  readonly expiresAtMs: number;
  /** The connections that it is restricted to, by their capability keys. */
  readonly capabilities?: ReadonlySet<string> | undefined;
}

export interface TokenVerifier {
  /** Undefined for a token that is not ours, not valid now, or not for us. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

const MAX_TOKEN_LENGTH = 8_192;
const MAX_CACHED = 2_000;
const CACHE_MS = 60_000;
const KNOWN_SCOPES: ReadonlySet<string> = new Set(SCOPES);

export function createTokenVerifier(key: KeyObject, clock: Clock): TokenVerifier {
  // A valid token is checked many times per minute; a refused one is never cached.
  const cache = createTtlCache<string, TokenClaims>({
    most: MAX_CACHED,
    ttlMs: CACHE_MS,
    nowMs: () => clock().getTime(),
  });

  return {
    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined;
      const cached = cache.get(token);
      if (cached) return cached;
      const claims = await readClaims(token, key, clock());
      if (claims) cache.set(token, claims, claims.expiresAtMs);
      return claims;
    },
  };
}

async function readClaims(token: string, key: KeyObject, currentDate: Date): Promise<TokenClaims | undefined> {
  const payload = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp'],
    currentDate,
  }).then(
    (verified) => verified.payload,
    () => undefined,
  );
  if (!payload || !isForUs(payload.aud)) return undefined;
  const {
    sub,
    org,
    ws,
    scope = '',
    jti,
    exp,
    cap,
  } = payload as JWTPayload & { org?: unknown; ws?: unknown; scope?: unknown; cap?: unknown };
  if (
    !isId(sub) ||
    !(org === undefined || isId(org)) ||
    !(ws === undefined || isId(ws)) ||
    !(jti === undefined || isId(jti))
  )
    return undefined;
  if (typeof scope !== 'string' || exp === undefined) return undefined;
  if (!(cap === undefined || (Array.isArray(cap) && cap.every(isId)))) return undefined;
  const scopes = new Set(scope.split(' ').filter((word): word is Scope => KNOWN_SCOPES.has(word)));
  return {
    userId: sub,
    organizationId: org,
    workspaceId: ws,
    scopes,
    tokenId: jti,
    expiresAtMs: exp * 1000,
    ...(cap === undefined ? {} : { capabilities: new Set(cap) }),
  };
}

function isForUs(audience: JWTPayload['aud']): boolean {
  return audience === undefined || audience === 'connect' || (Array.isArray(audience) && audience.includes('connect'));
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}
