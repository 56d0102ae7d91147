// Who may use the controller: whoever holds the token. Without one, whoever may open the socket, which is the
// controller's own user; but not a request that some proxy carried there for a stranger.
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
