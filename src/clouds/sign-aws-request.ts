// AWS Signature Version 4, for the calls we make. Pure: the time is a parameter.
import { createHash, createHmac } from 'node:crypto';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a session; long-lived keys have none. */
  readonly sessionToken?: string | undefined;
}

export interface AwsRequest {
  readonly method: string;
  readonly url: URL;
  /** Signed together with the host. */
  readonly headers: Readonly<Record<string, string>>;
  /** In hexadecimal. */
  readonly bodySha256: string;
  readonly service: string;
  readonly region: string;
  readonly now: Date;
}

/** The headers to send. */
export function signAwsRequest(
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  { method, url, headers, bodySha256, service, region, now }: AwsRequest,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const signed: Record<string, string> = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()])),
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(signed).sort();
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    // Encoded once more than it is sent, by every service but S3.
    url.pathname.split('/').map(encode).join('/'),
    query,
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    bodySha256,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
