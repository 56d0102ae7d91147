import { createHash, timingSafeEqual } from 'node:crypto';
import { readAuthorization, type RequestHeaders } from '../../net/authorization.ts';
import { type Config, ConfigError } from '../../base/config.ts';

/** Undefined only if the operator explicitly allows everyone. */
export function readBrokerToken(
  config: Pick<Config, 'SERVICE_BROKER_TOKEN' | 'SERVICE_BROKER_ALLOW_OPEN'>,
): string | undefined {
  const { SERVICE_BROKER_TOKEN: token, SERVICE_BROKER_ALLOW_OPEN: allowsOpen } = config;
  if (token === undefined && !allowsOpen) {
    throw new ConfigError(
      'the broker requires SERVICE_BROKER_TOKEN: set it to a long random string (make one with: openssl rand -hex 32), the same for the broker and every role; SERVICE_BROKER_ALLOW_OPEN=1 starts it without one.',
    );
  }
  return token;
}

/** Whether the presented token is right; without a token, everyone is accepted. Compares in constant time. */
export function createTokenCheck(token: string | undefined): (presented: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const expected = digest(token);
  return (presented) => timingSafeEqual(digest(presented ?? ''), expected);
}

/** The token in the header; `otherwise` only if there is no header. */
export function presentedToken(headers: RequestHeaders, otherwise?: string): string | undefined {
  const authorization = readAuthorization(headers);
  if (authorization.kind === 'absent') return otherwise;
  return authorization.kind === 'bearer' ? authorization.token : undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
