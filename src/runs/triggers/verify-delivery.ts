// Whether a delivery was signed by its source, over the bytes as they arrived: one row for the published scheme of each.
// Pure. A comparison takes as long for a wrong signature as for a right one, each secret that counts is tried, and a
// request without the headers of its scheme costs the same as one that has them.
import { createHmac, hash, type Hmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TriggerSource } from '../../contract/standing/trigger-rules.ts';
import { type DeliveryHeaders, fieldsOf, readPayload } from './read-payload.ts';

export interface Signed {
  readonly headers: DeliveryHeaders;
  readonly body: Buffer;
  /** Those that count now, the newest first. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

interface Scheme {
  /** When it was signed; undefined if it does not say so, or not as its source does. */
  readonly signedAtMs?: (signed: Signed) => number | undefined;
  /** How old, or how far in the future, it may be. */
  readonly windowMs?: number;
  /** What was sent, and what the secret makes of the body: one of them must be equal to it. */
  readonly given: (signed: Signed, secret: string) => readonly string[];
  readonly expected: (signed: Signed, secret: string) => string;
}

const MINUTE_MS = 60_000;
/** A sender may sign with several keys while it changes them; nobody has more. */
const MOST_SIGNATURES = 10;

const header = ({ headers }: Pick<Signed, 'headers'>, name: string): string => headers.get(name) ?? '';
const seconds = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) * 1_000 : undefined);
const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]): Hmac => {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest;
};

/** `whsec_` and base64: the key is what it decodes to. Undefined if it is not of that form. */
export function decodeWebhookSecret(secret: string): Buffer | undefined {
  const [, text] = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret) ?? [];
  const key = text === undefined ? undefined : Buffer.from(text, 'base64');
  return key && key.length >= 24 && key.length <= 64 ? key : undefined;
}

const STANDARD: Scheme = {
  signedAtMs: (signed) => seconds(header(signed, 'webhook-timestamp')),
  windowMs: 5 * MINUTE_MS,
  given: (signed) => header(signed, 'webhook-signature').split(' ').slice(0, MOST_SIGNATURES),
  expected(signed, secret) {
    const [id, at] = [header(signed, 'webhook-id'), header(signed, 'webhook-timestamp')];
    // Without an id, or with a secret of another form, nobody knows the key.
    const key = (id === '' ? undefined : decodeWebhookSecret(secret)) ?? randomBytes(32);
    return `v1,${hmac(key, `${id}.${at}.`, signed.body).digest('base64')}`;
  },
};

const GITLAB_TOKEN: Scheme = {
  given: (signed) => [header(signed, 'x-gitlab-token')],
  expected: (_signed, secret) => secret,
};

const SCHEMES = {
  generic: {
    signedAtMs: (signed) => seconds(header(signed, 'x-service-timestamp')),
    windowMs: 5 * MINUTE_MS,
    given: (signed) => [header(signed, 'x-service-signature')],
    expected: (signed, secret) =>
      `sha256=${hmac(secret, `${header(signed, 'x-service-timestamp')}.`, signed.body).digest('hex')}`,
  },
  github: {
    given: (signed) => [header(signed, 'x-hub-signature-256')],
    expected: ({ body }, secret) => `sha256=${hmac(secret, body).digest('hex')}`,
  },
  // A signing token and a plain secret token are two kinds of secret; which one it is shows in its form.
  gitlab: (secret: string) => (secret.startsWith('whsec_') ? STANDARD : GITLAB_TOKEN),
  linear: {
    signedAtMs: linearTime,
    windowMs: MINUTE_MS,
    given: (signed) => [header(signed, 'linear-signature')],
    expected: ({ body }, secret) => hmac(secret, body).digest('hex'),
  },
  slack: {
    signedAtMs: (signed) => seconds(header(signed, 'x-slack-request-timestamp')),
    windowMs: 5 * MINUTE_MS,
    given: (signed) => [header(signed, 'x-slack-signature')],
    expected: (signed, secret) =>
      `v0=${hmac(secret, `v0:${header(signed, 'x-slack-request-timestamp')}:`, signed.body).digest('hex')}`,
  },
  stripe: {
    signedAtMs: (signed) => seconds(stripeParts(signed, 't')[0] ?? ''),
    windowMs: 5 * MINUTE_MS,
    // Only v1 is a signature of a live key. The secret is used as text, with its prefix.
    given: (signed) => stripeParts(signed, 'v1').slice(0, MOST_SIGNATURES),
    expected: (signed, secret) => hmac(secret, `${stripeParts(signed, 't')[0] ?? ''}.`, signed.body).digest('hex'),
  },
  'standard-webhooks': STANDARD,
} as const satisfies Record<TriggerSource, Scheme | ((secret: string) => Scheme)>;

function stripeParts(signed: Signed, name: string): string[] {
  return header(signed, 'stripe-signature')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

/** Only its payload says when it was sent. */
function linearTime({ body, headers }: Signed): number | undefined {
  const at = fieldsOf(readPayload(body, headers).payload)['webhookTimestamp'];
  return typeof at === 'number' ? at : undefined;
}

/** Throws for a body that was signed and cannot be read. */
export function isDeliverySigned(source: TriggerSource, signed: Signed): boolean {
  const row: Scheme | ((secret: string) => Scheme) = SCHEMES[source];
  const found = signed.secrets.filter((secret) => {
    const scheme = typeof row === 'function' ? row(secret) : row;
    const isSigned = isAmong(scheme.expected(signed, secret), scheme.given(signed, secret));
    // The body is read only once it is known to be the source's.
    return secret !== '' && isSigned && isInTime(scheme, signed);
  });
  return found.length > 0;
}

function isInTime({ signedAtMs, windowMs }: Scheme, signed: Signed): boolean {
  if (signedAtMs === undefined || windowMs === undefined) return true;
  const at = signedAtMs(signed);
  return at !== undefined && Math.abs(signed.nowMs - at) <= windowMs;
}

/** Digests are compared: they have one length, and where two differ says nothing about what was sent. */
function isAmong(expected: string, given: readonly string[]): boolean {
  const digest = hash('sha256', expected, 'buffer');
  return given.filter((one) => timingSafeEqual(hash('sha256', one, 'buffer'), digest)).length > 0;
}
