// The api role as an operator meets it: a database that goes away and comes back, traces, diagnostics.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { newSchemaName } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

let directory: string;
const started: RuntimeProcess[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-operations-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function start(environment: Record<string, string>): RuntimeProcess {
  const one = startRuntime({
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: newSchemaName(),
    SERVICE_DATA_DIR: directory,
    ...environment,
  });
  started.push(one);
  return one;
}

/** The road to the database, which can be closed and opened again. */
async function openRoad(port: number): Promise<{ close(): Promise<void> }> {
  const target = new URL(inject('postgresUrl'));
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const one of [socket, upstream])
      sockets.add(one.on('error', () => {}).on('close', () => void (socket.destroy(), upstream.destroy())));
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

it('waits for a database that is down at the start, then answers 503 while it is away and 200 when it is back', async () => {
  const databasePort = await freePort();
  const url = new URL(inject('postgresUrl'));
  url.port = String(databasePort);
  const port = await freePort();
  const api = start({ SERVICE_UPSTREAM_DB: url.href, SERVICE_RUNTIME_PORT: String(port) });
  expect(await api.said('the database does not respond yet')).toMatchObject({ level: 'warn', reason: 'ECONNREFUSED' });

  let road = await openRoad(databasePort);
  await api.said('listening');
  const health = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    return { status: response.status, body: await response.json() };
  };
  expect((await health()).status).toBe(200);

  await road.close();
  await expect.poll(async () => (await health()).status, { timeout: 20_000 }).toBe(503);
  expect((await health()).body).toMatchObject({ ok: false, database: 'failed' });
  expect(await (await fetch(`http://127.0.0.1:${port}/runtime`)).text()).toContain('The database does not respond');
  expect(api.child.exitCode).toBeNull();

  road = await openRoad(databasePort);
  await expect.poll(async () => (await health()).status, { timeout: 20_000 }).toBe(200);
  expect(await api.stop()).toEqual({ code: 0, signal: null });
  await road.close();
  expect(JSON.stringify(api.lines)).not.toContain(url.password + '@');
});

it('can be stopped while it waits for the database', async () => {
  const url = new URL(inject('postgresUrl'));
  url.port = String(await freePort());
  const driver = start({ SERVICE_PROCESS_ROLE: 'driver', SERVICE_UPSTREAM_DB: url.href });
  await driver.said('the database does not respond yet');
  expect(await driver.stop()).toEqual({ code: 0, signal: null });
});

it('can be stopped while it waits for the schema', async () => {
  const driver = start({ SERVICE_PROCESS_ROLE: 'driver' });
  await driver.said('waiting for the api role to create or update the schema');
  expect(await driver.stop()).toEqual({ code: 0, signal: null });
});

it('exports its traces to a collector, requests and statements, and no secret with them', async () => {
  const collector = await startTraceCollector();
  const port = await freePort();
  const debugToken = 'debug-token-that-must-not-leak';
  const authSecret = 'auth-secret-that-must-not-leak';
  const api = start({
    SERVICE_RUNTIME_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SERVICE_DEBUG_TOKEN: debugToken,
    AUTH_SECRET: authSecret,
  });
  await api.said('running');
  await fetch(`http://127.0.0.1:${port}/healthz?token=${debugToken}`);
  await fetch(`http://127.0.0.1:${port}/service-debug/config`, { headers: { authorization: `Bearer ${debugToken}` } });
  expect(await api.stop()).toEqual({ code: 0, signal: null });

  const spans = collector.spans();
  const request = spans.find(({ name }) => name === 'GET /healthz');
  expect(request?.attributes).toMatchObject({ 'http.route': '/healthz', 'http.response.status_code': 200 });
  expect(
    spans
      .filter(({ traceId }) => traceId === request?.traceId)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['GET /healthz', 'database statement']);
  expect(spans.map(({ name }) => name)).toContain('GET /service-debug/config');
  expect(collector.resource()).toMatchObject({ 'service.name': 'service-runtime', 'service.role': 'api' });
  for (const secret of [debugToken, authSecret, inject('postgresUrl')]) expect(collector.text()).not.toContain(secret);
  await collector.close();
});

it('serves diagnostics only with the token, and never shows a secret there', async () => {
  const port = await freePort();
  const secrets = {
    SERVICE_DEBUG_TOKEN: 'debug-token-0123456789',
    AUTH_SECRET: 'auth-secret-0123456789',
    OPENAI_API_KEY: 'sk-0123456789abcdef',
  };
  const api = start({ SERVICE_RUNTIME_PORT: String(port), ...secrets });
  await api.said('running');
  const at = (path: string): string => `http://127.0.0.1:${port}/service-debug${path}`;
  expect((await fetch(at('/'))).status).toBe(401);
  const headers = { authorization: `Bearer ${secrets.SERVICE_DEBUG_TOKEN}` };
  const shown = await Promise.all(
    ['/', '/health', '/processes', '/config', '/database', '/receipts'].map(async (path) =>
      (await fetch(at(path), { headers })).text(),
    ),
  );
  for (const secret of [...Object.values(secrets), inject('postgresUrl')])
    expect(shown.join('\n')).not.toContain(secret);
  expect(shown[3]).toContain('"name":"OPENAI_API_KEY","group":"Chat","source":"environment","secret":true');
});
