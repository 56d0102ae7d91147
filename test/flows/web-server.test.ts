// The web server as a process of its own: it makes the schema, answers, and stops when it is told to.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { builtEntry } from '../support/built-entry.ts';
import { MIGRATIONS, newSchemaName, quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { openRaw } from '../support/http/gateway-stand.ts';

const schema = newSchemaName();
let db: Database;
let port: number;
let child: ChildProcess;
let url: string;

function startWeb(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry('web')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', SERVICE_LOG_LEVEL: 'info', ...environment },
  });
}

beforeAll(async () => {
  db = await openDatabase({ url: inject('postgresUrl'), schema, poolMax: 2, applicationName: 'test', log: quiet });
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = startWeb({
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: schema,
    SERVICE_WEB_PORT: String(port),
    AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
  });
});
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await db.close();
});

it('makes the schema when it is the first to come, then listens', async () => {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes('web server is listening')) break;
  }
  expect(await migrate(db, await readMigrations(MIGRATIONS))).toEqual({ applied: 0, functions: 0 });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { ok: true, version: expect.any(String), build: expect.any(String) },
  ]);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(
    (await fetch(`${url}/healthz`, { headers: { 'x-request-id': 'given-by-the-gateway' } })).headers.get(
      'x-request-id',
    ),
  ).toBe('given-by-the-gateway');
});

it('gives a program no page for an address that does not exist, and a browser every page', async () => {
  const get = async (path: string, accept?: string): Promise<[number, string | null]> => {
    const response = await fetch(url + path, accept === undefined ? {} : { headers: { accept } });
    await response.arrayBuffer();
    return [response.status, response.headers.get('content-type')];
  };
  const response = await fetch(`${url}/nowhere?status=queued`);
  expect([response.status, await response.json()]).toMatchObject([404, { ok: false, error: 'not_found' }]);
  const html = [200, 'text/html; charset=utf-8'];
  expect(await get('/nowhere', 'text/html,*/*;q=0.8')).toEqual(html);
  for (const page of ['/', '/sign-in', '/chat']) expect(await get(page)).toEqual(html);
  expect(await get('/favicon.svg')).toEqual([200, 'image/svg+xml']);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
  expect(await get(script)).toEqual([200, 'text/javascript; charset=utf-8']);
});

it('takes a person from sign-up to an organization and a token', async () => {
  const signUp = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'Ada@Example.test', password: 'correct horse' }),
  });
  expect(signUp.status).toBe(200);
  const cookie = signUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, never> }> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  expect(await call('GET', '/api/me')).toMatchObject({
    status: 200,
    body: { user: { name: 'Ada', email: 'ada@example.test' }, organizations: [] },
  });
  const created = await call('POST', '/api/organizations', { name: 'Acme' });
  expect(created).toMatchObject({ status: 201, body: { organization: { slug: 'acme', role: 'owner' } } });
  expect(await call('POST', '/api/tokens', { organization: 'acme', scopes: ['chat'] })).toMatchObject({
    status: 201,
    body: { id: expect.any(String), token: expect.stringMatching(/^ey/) },
  });
});

it('refuses an over-large body over the wire and goes on serving', async () => {
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: 'correct horse' }),
  });
  const cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const response = await fetch(`${url}/api/organizations`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
  });
  expect([response.status, await response.json()]).toMatchObject([413, { ok: false, error: 'request_too_large' }]);
  // Of a body that never comes the server takes what there is, then gives up and closes the connection.
  const slow = openRaw(port);
  slow.socket.write(
    `POST /api/organizations HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: 1100000\r\n\r\n{"name":"x`,
  );
  expect(await slow.until('request_too_large')).toMatch(/^HTTP\/1\.1 413 /);
  await slow.closed;
  slow.socket.destroy();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('says so too when such a body does not tell its size', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 20; sent++) controller.enqueue(Buffer.alloc(100_000, 'x'));
      controller.close();
    },
  });
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  });
  expect([response.status, await response.json()]).toMatchObject([413, { ok: false, error: 'request_too_large' }]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('closes the connection of a client that does not read, though it goes on sending', async () => {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const scripts = [...page.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const sizes = await Promise.all(scripts.map(async (path) => (await (await fetch(`${url}${path}`)).text()).length));
  const script = scripts[sizes.indexOf(Math.max(...sizes))] ?? '';
  const ask = `GET ${script} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  const { socket, closed } = openRaw(port);
  socket.pause().write(ask.repeat(200));
  const sending = setInterval(() => socket.write(ask), 1_000);
  await closed;
  clearInterval(sending);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

/** A request as it stands, because clients tidy a path up before they send it and refuse some methods. */
function rawRequest(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

it('gives nothing of its machine to a path that climbs, and takes odd methods calmly', async () => {
  for (const line of [
    'GET /../../package.json',
    'GET /assets/../../../package.json',
    'GET //package.json',
    'TRACE /api/me',
    'OPTIONS /api/me',
    'HEAD /api/me',
  ]) {
    const answer = await rawRequest(line);
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|401|404|405) /);
    expect(answer).not.toContain('agent-platform-service');
  }
});

it('asks a stranger who they are whatever they send, and finds nothing under a path that cannot be read', async () => {
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: 'correct horse' }),
  });
  const cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  for (const path of ['/api/workspaces/%ZZ', '/api/threads/%E0%A4', '/api/attachments/%', '/api/chat/%ZZ/stream'])
    expect([path, (await fetch(`${url}${path}`, { headers: { cookie } })).status]).toEqual([path, 404]);
  for (const body of ['{', '[]', JSON.stringify({ name: 'x'.repeat(1_100_000) })])
    expect(
      (
        await fetch(`${url}/api/organizations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).status,
    ).toBe(401);
  expect((await fetch(`${url}/api/changes`)).status).toBe(401);
  expect((await fetch(`${url}/api/chat`, { method: 'POST', body: '{' })).status).toBe(401);
});

it('stops when it is told to', async () => {
  child.stdout?.resume();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

it('says which secret is missing and does not start', async () => {
  const web = startWeb({
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: schema,
    SERVICE_WEB_PORT: String(await freePort()),
  });
  let said = '';
  web.stderr?.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(web, 'exit');
  expect(code).toBe(78);
  expect(said).toContain('AUTH_SECRET');
});
