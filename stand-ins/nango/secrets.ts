import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString('base64url')}`;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Stored credentials are sealed with a key derived from the API's secret key. */
export function credentialKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'local integration credentials', 32));
}

/** Each integration is a client of the demo authorization server. */
export function demoClient(secretKey: string, integration: string): { id: string; secret: string } {
  const id = `demo-${integration}`;
  return { id, secret: createHmac('sha256', secretKey).update(id).digest('base64url') };
}
