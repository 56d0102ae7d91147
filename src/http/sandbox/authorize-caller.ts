// Who may use the controller: anyone with the token. If no token is configured, anyone who can open the socket, which
// is the controller's own user, except for requests that a proxy forwarded.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readAuthorization } from '../../base/authorization.ts';
import { AppError } from '../../base/errors.ts';

export function authorizeCaller(headers: IncomingHttpHeaders, token: string | undefined): void {
  if (token === undefined) {
    if (
      headers['x-forwarded-for'] !== undefined ||
      headers['x-forwarded-host'] !== undefined ||
      headers.forwarded !== undefined
    )
      throw new AppError('unauthenticated');
    return;
  }
  const given = readAuthorization(headers);
  if (given.kind !== 'bearer' || !timingSafeEqual(digest(given.token), digest(token)))
    throw new AppError('unauthenticated');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
