// Exchanges a Google service-account key for an access token, which lives for an hour: a claim that the key signs is sent
// to the address that the key names. The key itself is sent nowhere.
import { createSign } from 'node:crypto';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { createTtlCache } from '../timing/bounded-cache.ts';
import { CloudError } from './cloud-error.ts';
import { sha256 } from './sign-aws-request.ts';

export interface ServiceAccountKey {
  readonly email: string;
  readonly keyId?: string | undefined;
  /** PEM. */
  readonly privateKey: string;
  readonly tokenUrl: string;
}

/** Google did not accept the key; any other failure may pass. */
export class KeyRefused extends CloudError {}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const LIFE_SECONDS = 3_600;
/** A token is not used when it is about to expire. */
const SPARE_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const MOST_TOKENS = 1_000;

const answerForm = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().default(LIFE_SECONDS),
});

/** Concurrent callers share one exchange; a failed one is not kept. */
const tokens = createTtlCache<string, Promise<string>>({ most: MOST_TOKENS, ttlMs: LIFE_SECONDS * 1_000 });

export function getGoogleToken(dispatcher: Dispatcher, key: ServiceAccountKey): Promise<string> {
  const name = sha256(JSON.stringify([key.tokenUrl, key.email, key.privateKey]));
  const known = tokens.get(name);
  if (known) return known;
  const exchange = exchangeKey(dispatcher, key);
  const token = exchange.then(({ access_token }) => access_token);
  tokens.set(name, token, Date.now() + TIMEOUT_MS * 2);
  exchange.then(
    ({ expires_in }) => tokens.set(name, token, Date.now() + expires_in * 1_000 - SPARE_MS),
    () => tokens.delete(name),
  );
  return token;
}

async function exchangeKey(dispatcher: Dispatcher, key: ServiceAccountKey): Promise<z.output<typeof answerForm>> {
  const { statusCode, body } = await request(key.tokenUrl, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signClaim(key, Math.floor(Date.now() / 1_000)),
    }).toString(),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  let text = '';
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > MAX_BYTES) throw new CloudError('The answer from Google is too large.');
  }
  if (statusCode === 400 || statusCode === 401 || statusCode === 403)
    throw new KeyRefused('Google did not accept the service-account key.');
  const { data } = answerForm.safeParse(statusCode === 200 ? parseJson(text) : undefined);
  if (!data) throw new CloudError('The answer from Google contains no token.');
  return data;
}

function signClaim({ email, keyId, privateKey, tokenUrl }: ServiceAccountKey, now: number): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = encode({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) });
  const claim = encode({ iss: email, scope: SCOPE, aud: tokenUrl, iat: now, exp: now + LIFE_SECONDS });
  const signature = createSign('RSA-SHA256').update(`${head}.${claim}`).sign(privateKey, 'base64url');
  return `${head}.${claim}.${signature}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
