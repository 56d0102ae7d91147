import { createHmac, timingSafeEqual } from 'node:crypto';

/** The specified name, and the provider's own. */
export const SIGNATURE_HEADERS = ['x-provider-hmac-sha256', 'x-nango-hmac-sha256'] as const;

/** HMAC-SHA256 over the body exactly as it came, in hexadecimal; compared in constant time. */
export function isSigned(secret: string, rawBody: Uint8Array, headers: Pick<Headers, 'get'>): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return SIGNATURE_HEADERS.some((name) => {
    const given = headers.get(name)?.trim() ?? '';
    return /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected);
  });
}
