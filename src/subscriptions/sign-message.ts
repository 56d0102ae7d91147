// Signs a message as the Standard Webhooks specification says: over its id, the time in seconds and the very bytes.
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly now: Date;
}

export function signMessage({ id, body, secret, now }: SignedMessage): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
