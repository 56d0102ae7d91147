// An address of a subscription, on a real socket. It takes a message only if it is what the Standard Webhooks
// specification asks for, and answers when the test lets it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly id: string;
  readonly timestamp: number;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

export interface WebhookReceiver {
  readonly url: string;
  /** Those that verified. */
  readonly received: readonly Received[];
  /** Why others did not. */
  readonly refused: readonly string[];
  trust(secret: string): void;
  /** Requests that arrive from now on are not answered, until this is called again with false. */
  hold(held: boolean): void;
  close(): Promise<void>;
}

const TOLERANCE_SECONDS = 300;

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const [received, refused]: [Received[], string[]] = [[], []];
  let secret = '';
  let held = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const verified = verify(secret, request.headers, Buffer.concat(chunks));
      if (typeof verified === 'string') refused.push(verified);
      else received.push(verified);
      if (!held) response.writeHead(typeof verified === 'string' ? 400 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    refused,
    trust: (given) => (secret = given),
    hold: (given) => (held = given),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What was sent, or why it is not to be trusted. */
function verify(secret: string, headers: IncomingHttpHeaders, raw: Buffer): Received | string {
  const [id, at, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return 'webhook-id is missing or malformed';
  if (typeof at !== 'string' || !/^\d{10}$/.test(at)) return 'webhook-timestamp is not a time in seconds';
  if (Math.abs(Date.now() / 1_000 - Number(at)) > TOLERANCE_SECONDS) return 'webhook-timestamp is too far from now';
  if (typeof given !== 'string') return 'webhook-signature is missing';
  if (headers['content-type'] !== 'application/json') return 'the body is not JSON';
  const [prefix, key] = [secret.slice(0, 6), Buffer.from(secret.slice(6), 'base64')];
  if (prefix !== 'whsec_' || key.length < 24 || key.length > 64) return 'the secret is not one of the specification';
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(raw).digest();
  const matches = given.split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const signature = Buffer.from(text, 'base64');
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  if (!matches) return 'no signature matches';
  return { id, timestamp: Number(at), body: JSON.parse(raw.toString()) as Received['body'] };
}
