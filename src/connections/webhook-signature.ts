import { createHmac, timingSafeEqual } from 'node:crypto';

/** The specified header, and the provider's own. */
const SIGNATURE_HEADERS = ['x-provider-hmac-sha256', 'x-nango-hmac-sha256'] as const;

/** Hexadecimal HMAC-SHA256 of the raw body, compared in constant time. */
export function isSigned(secret: string, rawBody: Uint8Array, headers: Pick<Headers, 'get'>): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return SIGNATURE_HEADERS.some((name) => {
    const given = headers.get(name)?.trim() ?? '';
    return /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected);
  });
}
