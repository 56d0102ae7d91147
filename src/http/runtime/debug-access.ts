// Who may see the diagnostics: anyone with the debug token, or with a JWT signed with the debug secret. If neither is
// configured, the routes do not exist.
import { createHash, timingSafeEqual } from 'node:crypto';
import { jwtVerify } from 'jose';
import { readAuthorization, type RequestHeaders } from '../../net/authorization.ts';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';

export type DebugSettings = Pick<Config, 'SERVICE_DEBUG_TOKEN' | 'SERVICE_DEBUG_JWT_SECRET'>;

/** How the caller authenticated; for the log. */
export type DebugCaller = { readonly by: 'token' } | { readonly by: 'jwt'; readonly subject?: string };

export async function checkDebugAccess(settings: DebugSettings, headers: RequestHeaders): Promise<DebugCaller> {
  const { SERVICE_DEBUG_TOKEN: token, SERVICE_DEBUG_JWT_SECRET: secret } = settings;
  if (token === undefined && secret === undefined) throw new AppError('service_debug_disabled');
  const given = readAuthorization(headers);
  if (given.kind !== 'bearer') throw new AppError('unauthenticated');
  if (token !== undefined && isSame(given.token, token)) return { by: 'token' };
  const caller = secret === undefined ? undefined : await findJwtCaller(given.token, secret);
  if (!caller) throw new AppError('unauthenticated');
  return caller;
}

async function findJwtCaller(jwt: string, secret: string): Promise<DebugCaller | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
    // Even if an operator uses the same secret for both, a member's connect token gives no access here.
    if (payload.aud === 'connect' || (Array.isArray(payload.aud) && payload.aud.includes('connect'))) return undefined;
    return payload.sub === undefined ? { by: 'jwt' } : { by: 'jwt', subject: payload.sub };
  } catch {
    return undefined;
  }
}

/** In constant time, regardless of the lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
