// Every answer of every server says what nobody may take it for: each route of the printed contract, what is not found,
// and what the gateway says by itself.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS, openTestDatabase, quiet } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { type Document, operationsOf } from '../../test/support/http/openapi-faults.ts';
import { AUTH_SECRET, openTestWeb, PUBLIC_URL, type TestWeb } from '../../test/support/http/web-app.ts';
import { ANSWER_HEADERS } from '../net/answer-headers.ts';
import { forEachAtMost } from '../timing/for-each-at-most.ts';
import { readConfig } from '../base/config.ts';
import { createBroker } from '../broker/create-broker.ts';
import { REFUSALS, type GatewayRefusal, refuse, refuseUpgrade } from '../gateway/refusals.ts';
import { brokerListener } from '../http/broker/listener.ts';
import { openApiDocument } from '../http/openapi.ts';
import { createDatabaseCheck } from '../http/shell/health.ts';
import { listenForCallers } from '../http/sandbox/listen.ts';
import { sandboxListener } from '../http/sandbox/sandbox-listener.ts';
import { type Serving, serve } from '../http/shell/serve.ts';
import { createOpenStreams } from '../http/shell/streams/open-streams.ts';
import { v1Route } from '../http/v1/v1-route.ts';
import { changeRoutes } from '../http/web/change-routes.ts';
import { personalExportRoute } from '../http/web/personal-export-route.ts';
import { chatRoutes } from '../http/web/chat-routes.ts';
import { appListener } from '../http/shell/app-listener.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { readMigrations } from '../store/migrate.ts';
import { serveApi } from './serve-api.ts';

const ALL = Object.entries(ANSWER_HEADERS);
const RUNTIME = /^\/(?:runtime|connect|hooks|service-debug|metrics)(?:\/|$)/;
const UNSTRIPPED = /^\/(?:connect|hooks|service-debug|metrics)(?:\/|$)/;

const stops: (() => Promise<unknown>)[] = [];
const urls = { web: '', runtime: '', broker: '' };
let directory: string;
let socketPath: string;

beforeAll(async () => {
  const web: TestWeb = await openTestWeb();
  const { db } = web;
  const streams = createOpenStreams({ db, log: quiet });
  const settings = { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false };
  const deps = { db, log: quiet, settings, streams, listener: { subscribe: () => () => {}, close: async () => {} } };
  const raw = [
    v1Route({ ...deps } as never),
    chatRoutes({ ...deps } as never),
    changeRoutes(deps),
    personalExportRoute(deps as never),
  ];
  const webServing = await serve(appListener(web.app, raw, { log: quiet }), { port: 0 });
  urls.web = `http://127.0.0.1:${webServing.port}`;

  const port = await freePort();
  urls.runtime = `http://127.0.0.1:${port}`;
  const config = readConfig({
    SERVICE_RUNTIME_PORT: String(port),
    SERVICE_BROKER_URL: `http://127.0.0.1:${await freePort()}`,
    AUTH_SECRET,
    SERVICE_RECEIPT_CHECKPOINT_SECONDS: '86400',
  });
  const stopApi = await serveApi({
    config,
    log: quiet,
    stopping: new AbortController().signal,
    role: 'api',
    processId: 'proc_test',
    version: '0',
    build: 'abc',
    db: measureDatabase(db, 4),
    migrations: await readMigrations(MIGRATIONS),
  });

  const brokerDb = await openTestDatabase();
  const broker = await createBroker({ db: brokerDb, log: quiet, retentionMs: 3_600_000 });
  const brokerServing: Serving = await serve(
    brokerListener({
      broker,
      token: 'a-token',
      version: 'test',
      build: 'abc',
      checkDatabase: createDatabaseCheck(brokerDb),
      log: quiet,
    }),
    { port: 0 },
  );
  urls.broker = `http://127.0.0.1:${brokerServing.port}`;

  directory = await mkdtemp(join(tmpdir(), 'answer-headers-'));
  socketPath = join(directory, 's.sock');
  const sandbox = await listenForCallers(
    sandboxListener({
      health: () => ({ ok: false, reason: 'none', fix: 'none' }) as never,
      token: undefined,
      log: quiet,
    }),
    { url: `unix:${socketPath}`, token: undefined, host: undefined },
  );
  stops.push(
    stopApi,
    () => webServing.close(),
    () => broker.close(),
    () => brokerServing.close(),
    () => sandbox.close(),
    () => brokerDb.close(),
    () => web.close(),
    () => rm(directory, { recursive: true }),
  );
}, 240_000);
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Those that an answer lacks, with the answer that lacks them. */
const lacking = (what: string, headers: { get(name: string): string | null }): string[] =>
  ALL.filter(([name, value]) => headers.get(name) !== value).map(([name]) => `${what}: ${name}`);

describe('every answer', () => {
  it('of every route of the printed contract, for every caller', async () => {
    const document = JSON.parse(JSON.stringify(await openApiDocument(PUBLIC_URL))) as Document;
    const faults: string[] = [];
    const statuses = new Set<number>();
    await forEachAtMost(8, operationsOf(document), async ({ name, path, method }) => {
      const sample = path.replaceAll(/\{\w+\}/g, 'x');
      const url = RUNTIME.test(sample)
        ? `${urls.runtime}${UNSTRIPPED.test(sample) ? sample : sample.slice('/runtime'.length)}`
        : `${urls.web}${sample}`;
      const response = await fetch(url, { method: method.toUpperCase(), redirect: 'manual' });
      await response.body?.cancel();
      statuses.add(response.status);
      faults.push(...lacking(name, response.headers));
    });
    expect(faults).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401]));
  });

  it.each([
    ['web', '/api/nothing'],
    ['web', '/v1/nothing'],
    ['web', '/nothing'],
    ['runtime', '/nothing'],
    ['runtime', '/connect/nothing'],
    ['broker', '/nothing'],
    ['broker', '/healthz'],
    ['broker', '/poll/g/p'],
    ['broker', '/figures'],
  ] as const)('of %s at %s', async (server, path) => {
    const response = await fetch(`${urls[server]}${path}`);
    expect(lacking(path, response.headers)).toEqual([]);
  });

  it('of the sandbox controller', async () => {
    for (const path of ['/healthz', '/v1/sandboxes/x', '/nothing']) {
      const [response] = (await once(get({ socketPath, path }), 'response')) as [IncomingMessage];
      response.resume();
      expect(lacking(path, new Headers(response.headers as Record<string, string>))).toEqual([]);
    }
  });

  it.each(Object.keys(REFUSALS) as GatewayRefusal[])('that the gateway gives by itself: %s', async (refusal) => {
    const server = createServer((_request, response) => refuse(response, refusal, 'req_1')).on(
      'upgrade',
      (_request, socket) => refuseUpgrade(socket as never, refusal, 'req_1'),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(lacking(refusal, (await fetch(`http://127.0.0.1:${port}`)).headers)).toEqual([]);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    const given = new Headers(
      text
        .slice(0, text.indexOf('\r\n\r\n'))
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ', 2) as [string, string]),
    );
    expect(lacking(refusal, given)).toEqual([]);
    server.close();
    server.closeAllConnections();
  });
});
