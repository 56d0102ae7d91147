import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getSessionToken } from './get-session-token.ts';

const KEYS = { accessKeyId: 'AKIALONGLIVED', secretAccessKey: 'long-lived-secret' };

describe('a long-lived AWS key', () => {
  let server: Server;
  let url: string;
  let asked: { headers: IncomingHttpHeaders; body: string } | undefined;
  let answer: { status: number; body: string };
  beforeEach(async () => {
    asked = undefined;
    server = createServer((request, response) => {
      void (async () => {
        asked = { headers: request.headers, body: await text(request) };
        response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body);
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => void server.close());

  it('is traded for a session of an hour', async () => {
    answer = {
      status: 200,
      body: '<GetSessionTokenResponse><GetSessionTokenResult><Credentials><AccessKeyId>ASIASHORT</AccessKeyId><SecretAccessKey>short/secret+1</SecretAccessKey><SessionToken>token==</SessionToken><Expiration>2026-01-01T01:00:00Z</Expiration></Credentials></GetSessionTokenResult></GetSessionTokenResponse>',
    };
    expect(await getSessionToken(url, KEYS)).toEqual({
      accessKeyId: 'ASIASHORT',
      secretAccessKey: 'short/secret+1',
      sessionToken: 'token==',
      expiresAt: new Date('2026-01-01T01:00:00Z'),
    });
    expect(asked?.body).toBe('Action=GetSessionToken&DurationSeconds=3600&Version=2011-06-15');
    expect(asked?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIALONGLIVED\/\d{8}\/us-east-1\/sts\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    expect(JSON.stringify(asked)).not.toContain(KEYS.secretAccessKey);
  });

  it.each([
    [
      403,
      '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>secret words</Message></Error></ErrorResponse>',
      'InvalidClientTokenId',
    ],
    [500, 'oops', '500'],
    [200, '<x/>', 'contains no session'],
    [200, 'y'.repeat(100_000), 'too large'],
  ])('fails if there is no session: %i', async (status, body, said) => {
    answer = { status, body };
    const failure = await getSessionToken(url, KEYS).catch((error: unknown) => error);
    expect(String(failure)).toContain(said);
    expect(String(failure)).not.toMatch(/secret words|long-lived-secret/);
  });

  it('says when AWS cannot be reached', async () => {
    server.close();
    await expect(getSessionToken('http://127.0.0.1:9', KEYS)).rejects.toThrow('could not be reached');
  });
});
