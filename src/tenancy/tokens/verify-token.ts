// Checks the signature and claims of a connect token. Revocation and membership are read from the database on every
// call (find-caller.ts).
import type { KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../base/clock.ts';
import { SCOPES, type Scope } from '../../contract/tokens.ts';
import { isNamedTokenId } from './token-id.ts';
import { createTtlCache } from '../../timing/bounded-cache.ts';

export interface TokenClaims {
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly tokenId: string | undefined;
  /** The named token that its use is counted for: the first of the tokens that replaced each other. */
  readonly spendTokenId?: string | undefined;
  /** The patterns of the models that it may be used for; absent if all. */
  readonly models?: readonly string[] | undefined;
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

/** `noteUse` is told of every use of a named token. */
export function createTokenVerifier(
  key: KeyObject,
  clock: Clock,
  noteUse: (tokenId: string) => void = () => {},
): TokenVerifier {
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
      const claims = cached ?? (await readClaims(token, key, clock()));
      if (claims && !cached) cache.set(token, claims, claims.expiresAtMs);
      if (claims?.spendTokenId !== undefined && claims.tokenId !== undefined) noteUse(claims.tokenId);
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
    line,
    models,
  } = payload as JWTPayload & Partial<Record<'org' | 'ws' | 'scope' | 'cap' | 'line' | 'models', unknown>>;
  if (
    !isId(sub) ||
    !(org === undefined || isId(org)) ||
    !(ws === undefined || isId(ws)) ||
    !(jti === undefined || isId(jti))
  )
    return undefined;
  if (typeof scope !== 'string' || exp === undefined) return undefined;
  if (!(cap === undefined || isIds(cap)) || !(models === undefined || isIds(models))) return undefined;
  const scopes = new Set(scope.split(' ').filter((word): word is Scope => KNOWN_SCOPES.has(word)));
  return {
    userId: sub,
    organizationId: org,
    workspaceId: ws,
    scopes,
    tokenId: jti,
    expiresAtMs: exp * 1000,
    spendTokenId: isId(line) ? line : isNamedTokenId(jti) ? jti : undefined,
    ...(models === undefined ? {} : { models }),
    ...(cap === undefined ? {} : { capabilities: new Set(cap) }),
  };
}

function isForUs(audience: JWTPayload['aud']): boolean {
  return audience === undefined || audience === 'connect' || (Array.isArray(audience) && audience.includes('connect'));
}

function isIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isId);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}
