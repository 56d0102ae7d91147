// Exchanges a long-lived AWS key for a session that expires within an hour. The key is sent only to AWS.
import { request } from 'undici';
import type { AwsKeys } from './sign-aws-request.ts';
import { sha256, signAwsRequest } from './sign-aws-request.ts';
import { CloudError } from './cloud-error.ts';

export interface AwsSession extends AwsKeys {
  readonly sessionToken: string;
  readonly expiresAt: Date;
}

const LIFE_SECONDS = 3_600;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 64 * 1024;
const BODY = `Action=GetSessionToken&DurationSeconds=${LIFE_SECONDS}&Version=2011-06-15`;

export async function getSessionToken(
  stsUrl: string,
  keys: AwsKeys,
  signal?: AbortSignal,
  now = new Date(),
): Promise<AwsSession> {
  const url = new URL('/', stsUrl);
  const headers = signAwsRequest(keys, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    bodySha256: sha256(BODY),
    service: 'sts',
    region: 'us-east-1',
    now,
  });
  const answer = await request(url, {
    method: 'POST',
    headers,
    body: BODY,
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  }).catch(() => {
    throw new CloudError('AWS could not be reached to create a session with the stored key.');
  });
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > MAX_BYTES) throw new CloudError('The answer from AWS is too large.');
  }
  if (answer.statusCode !== 200)
    throw new CloudError(
      `AWS refused to create a session with the stored key (${/<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? answer.statusCode}).`,
    );
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  ].map((name) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1]?.trim());
  const expiresAt = new Date(expiration ?? '');
  if (
    accessKeyId === undefined ||
    secretAccessKey === undefined ||
    sessionToken === undefined ||
    Number.isNaN(expiresAt.getTime())
  )
    throw new CloudError('The answer from AWS contains no session.');
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt };
}
