import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialReader, type CredentialReader } from './read-credentials.ts';

const REFERENCE = { integrationId: 'google-cloud', connectionId: 'a/b' };
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

describe('the credential of a connection', () => {
  let server: Server;
  let reader: CredentialReader;
  let asked: string[];
  let answers: { status?: number; body: unknown }[];
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      const { status = 200, body } = answers.shift() ?? { status: 500, body: {} };
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    reader = createCredentialReader({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      secretKey: 'secret-of-the-provider',
    });
  });
  afterEach(async () => {
    await reader.close();
    server.close();
  });
  const read = (neededForMs = 60_000) => reader.read(REFERENCE, { neededForMs });

  it.each([
    [
      { access_token: 'ya29.x', expires_at: '2100-01-01T00:00:00.000Z' },
      { token: 'ya29.x', pair: undefined, expiresAt: new Date('2100-01-01T00:00:00Z') },
    ],
    [{ token: 'dapi' }, { token: 'dapi', pair: undefined, expiresAt: undefined }],
    [{ apiKey: 'ghp' }, { token: 'ghp', pair: undefined, expiresAt: undefined }],
    [
      { username: 'AKIA', password: 'secret' },
      { token: undefined, pair: { name: 'AKIA', password: 'secret' }, expiresAt: undefined },
    ],
    [{ access_token: 'two\nlines' }, { token: undefined, pair: undefined, expiresAt: undefined }],
  ])('is read in each of its shapes: %j', async (credentials, found) => {
    answers = [{ body: { credentials, connection_config: { region: 'eu-west-1', nested: {} } } }];
    expect(await read()).toEqual({ ...found, settings: { region: 'eu-west-1' } });
    expect(asked).toEqual(['Bearer secret-of-the-provider /connections/a%2Fb?provider_config_key=google-cloud']);
  });

  it('is renewed first when it would end too soon', async () => {
    answers = [
      { body: { credentials: { access_token: 'old', expires_at: inMinutes(5) } } },
      { body: { credentials: { access_token: 'new', expires_at: inMinutes(60) } } },
    ];
    expect(await read(30 * 60_000)).toMatchObject({ token: 'new' });
    expect(asked[1]).toContain('&force_refresh=true');
  });

  it.each([[{ status: 403, body: { error: { code: 'forbidden' } } }], [{ body: 'no json' }], [{ body: {} }]])(
    'is a failure without the words of the provider: %j',
    async (answer) => {
      answers = [answer];
      const failure = await read().catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'NangoError' });
      expect(JSON.stringify(failure) + String(failure)).not.toContain('secret-of-the-provider');
    },
  );
});
