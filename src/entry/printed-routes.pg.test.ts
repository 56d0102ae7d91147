// Every route that the web server and the runtime mount is in the printed contract, and nothing else is.
import { traverseContractProcedures } from '@orpc/server';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MIGRATIONS, openTestDatabase, quiet } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { type Document, operationsOf } from '../../test/support/http/openapi-faults.ts';
import { openTestWeb, type TestWeb } from '../../test/support/http/web-app.ts';
import { readConfig } from '../base/config.ts';
import { connectContract, runtimeContract } from '../contract/contract.ts';
import { openApiDocument } from '../http/openapi.ts';
import { mountedRoutes } from '../http/shell/plain-routes.ts';
import type * as RuntimeApp from '../http/runtime/app.ts';
import { AUTH_ROUTES } from '../http/web/auth-routes.ts';
import { DEBUG_INDEX } from '../http/runtime/debug-index.ts';
import { changeRoutes } from '../http/web/change-routes.ts';
import { personalExportRoute } from '../http/web/personal-export-route.ts';
import { chatRoutes } from '../http/web/chat-routes.ts';
import type { RawRoute } from '../http/shell/raw-route.ts';
import { v1Route } from '../http/v1/v1-route.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { readMigrations } from '../store/migrate.ts';
import { serveApi } from './serve-api.ts';

const mounted: { runtime?: Hono } = {};
vi.hoisted(() => vi.resetModules());
// oxlint-disable-next-line vitest/no-restricted-vi-methods -- this file loads its modules again
vi.mock('../http/runtime/app.ts', async (original) => {
  const { createRuntimeApp } = await original<typeof RuntimeApp>();
  return {
    createRuntimeApp: (...args: Parameters<typeof createRuntimeApp>) => (mounted.runtime = createRuntimeApp(...args)),
  };
});

/** Mounted, but nothing that a caller would look up: fallbacks, files of a page, answers to preflights. */
const UNPRINTED = [
  '/*',
  '*',
  '/api/*',
  '/v1/*',
  '/api/auth/*',
  '/api/scim/v2/*',
  '/service-debug/*',
  '/runtime/dashboard.css',
  '/runtime/dashboard.js',
];
const UNSTRIPPED = /^\/(?:connect|hooks|service-debug|metrics)(?:\/|$)/;

let document: Document;
let web: TestWeb;
let stop: () => Promise<void>;
beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await openApiDocument('http://localhost:4000'))) as Document;
  web = await openTestWeb();
  const db = measureDatabase(await openTestDatabase(), 2);
  const config = readConfig({
    SERVICE_RUNTIME_PORT: String(await freePort()),
    SERVICE_BROKER_URL: `http://127.0.0.1:${await freePort()}`,
    AUTH_SECRET: 'a-secret-of-the-tests-0000000000',
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
    db,
    migrations: await readMigrations(MIGRATIONS),
  });
  stop = async () => {
    await stopApi();
    await db.close();
    await web.close();
  };
});
afterAll(async () => {
  await stop();
  vi.resetModules();
});

const printed = (): string[] => operationsOf(document).map(({ name }) => name);

function routesOf(app: Hono, toGateway: (path: string) => string): string[] {
  const routes = app.routes.filter(
    ({ method, path }) => method !== 'OPTIONS' && !UNPRINTED.includes(path) && !path.startsWith('/.well-known/'),
  );
  // One that answers every method is a POST to those who use it; the rest is refused.
  return [
    ...new Set(
      routes.map(
        ({ method, path }) =>
          `${method === 'ALL' ? 'POST' : method} ${toGateway(path)
            .replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
            .replace(/(.)\/$/, '$1')}`,
      ),
    ),
  ];
}

const atGateway = (path: string): string => (UNSTRIPPED.test(path) ? path : `/runtime${path}`);

describe('the printed contract against what is mounted', () => {
  it('has every route of the runtime', () => {
    const routes = routesOf(mounted.runtime as Hono, atGateway);
    expect(routes.length).toBeGreaterThan(30);
    expect(routes.filter((route) => !printed().includes(route))).toEqual([]);
  });

  it('has every route of the web server', () => {
    const routes = [
      ...routesOf(web.app as unknown as Hono, (path) => path),
      ...Object.keys(AUTH_ROUTES).map((key) => key.replace(' ', ' /api/auth')),
    ];
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter((route) => !printed().includes(route))).toEqual([]);
  });

  it('has nothing that no server answers', async () => {
    const settings = { publicUrl: 'http://localhost:4000' };
    // As src/entry/web.ts mounts them before the app; only what they match is asked here.
    const changes = changeRoutes({
      db: web.db,
      log: quiet,
      settings,
      listener: { subscribe: () => () => {} },
    } as never);
    const raw: RawRoute[] = [
      v1Route({} as never),
      chatRoutes({ settings } as never),
      changes,
      personalExportRoute({ settings } as never),
    ];
    const runtime = [...routesOf(mounted.runtime as Hono, atGateway), 'POST /connect/mcp'];
    const unanswered: string[] = [];
    for (const { name, path, method } of operationsOf(document)) {
      const sample = path.replaceAll(/\{\w+\}/g, 'x');
      if (
        runtime.includes(name) ||
        name === 'GET /runtime/factory/live' ||
        raw.some((route) => route.matches(method.toUpperCase(), sample))
      )
        continue;
      const { status, body } = await web.call(method.toUpperCase(), sample);
      // Without a session a route that is there says 401 or looks at the request; one that is not says 404.
      if (status === 404 && (body as { error?: string }).error === 'not_found') unanswered.push(name);
    }
    changes.close();
    expect(unanswered).toEqual([]);
  });
});

describe('what every route costs', () => {
  /** Mounted without a cost of their own: middleware, and the two that read it from a table (AUTH_ROUTES, the contract). */
  const BY_TABLE = ['/*', '/service-debug/*', '/api/auth/*', '/api/*', '/v1/*', '/.well-known/*'];
  const uncosted = (app: object): string[] => {
    const costed = new Set(mountedRoutes(app).map(({ method, path }) => `${method} ${path}`));
    return (app as Hono).routes
      .filter(({ method, path }) => !BY_TABLE.includes(path) && !costed.has(`${method} ${path}`))
      .map(({ method, path }) => `${method} ${path}`);
  };

  it('is declared where it is mounted, in the runtime and in the web server', () => {
    expect(uncosted(mounted.runtime as Hono)).toEqual([]);
    expect(uncosted(web.app)).toEqual([]);
  });

  it('is what this list says, for the routes outside the contract', () => {
    const contract = new Set<string>();
    for (const part of [runtimeContract, connectContract])
      traverseContractProcedures(
        { router: part as never, path: [] },
        ({
          contract: {
            '~orpc': { route },
          },
        }) => void contract.add(`${route.method ?? 'POST'} ${(route.path ?? '').replaceAll(/\{\+?(\w+)\}/g, ':$1')}`),
      );
    const list = (app: object): Record<string, string> =>
      Object.fromEntries(
        mountedRoutes(app)
          .filter(({ method, path, cost }) => cost === 'stream' || !contract.has(`${method} ${path}`))
          .map(({ method, path, cost }) => [`${method} ${path}`, cost]),
      );
    expect(list(mounted.runtime as Hono)).toEqual({
      'GET /healthz': 'cheap',
      'GET /metrics': 'database',
      'GET /runtime': 'database',
      'GET /runtime/figures': 'database',
      'GET /runtime/dashboard.css': 'cheap',
      'GET /runtime/dashboard.js': 'cheap',
      'GET /service-debug': 'cheap',
      'GET /service-debug/': 'cheap',
      'GET /service-debug/health': 'database',
      'GET /service-debug/processes': 'database',
      'GET /service-debug/config': 'cheap',
      'GET /service-debug/database': 'database',
      'GET /service-debug/receipts': 'database',
      'GET /service-debug/jobs': 'database',
      'GET /service-debug/broker': 'provider',
      'GET /service-debug/sandbox': 'provider',
      'POST /service-debug/jobs': 'database',
      'POST /service-debug/organizations': 'database',
      ...Object.fromEntries(
        Object.keys(DEBUG_INDEX)
          .filter((route) =>
            /\/(?:people|organizations\/:id|acts)(?:$|\/)| \/service-debug\/organizations$/.test(route),
          )
          .map((route) => [route, 'database']),
      ),
      'PUT /service-debug/organizations/:org/plan': 'database',
      'GET /service/stream': 'stream',
      'GET /service/export': 'stream',
      'GET /connect/connections': 'stream',
      'POST /connect/integrations/webhook': 'database',
      'POST /hooks/:id': 'database',
      'POST /connect/call': 'provider',
      'GET /connect/connections/:id/tools': 'provider',
      'GET /jobs/:id/events': 'stream',
      'GET /jobs/:id/artifacts/:name{.+}': 'stream',
      'GET /jobs/:id/changes': 'stream',
    });
    const wellKnown = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap(
      (name) => [`/.well-known/${name}`, `/.well-known/${name}/*`],
    );
    const scim = [
      ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'].map(
        (path) => `GET /api/scim/v2/${path}`,
      ),
      ...['Users', 'Groups'].flatMap((path) => [
        ...['GET', 'POST'].map((method) => `${method} /api/scim/v2/${path}`),
        ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /api/scim/v2/${path}/:id`),
      ]),
      'ALL /api/scim/v2/*',
    ];
    expect(list(web.app)).toEqual({
      ...Object.fromEntries(scim.map((name) => [name, 'database'])),
      ...Object.fromEntries(
        wellKnown.flatMap((path) => [
          [`GET ${path}`, 'cheap'],
          [`OPTIONS ${path}`, 'cheap'],
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(AUTH_ROUTES).map(([name, { cost }]) => [name.replace(' ', ' /api/auth'), cost]),
      ),
      'GET /healthz': 'cheap',
      'GET /openapi.json': 'cheap',
      'GET /api/auth/openid/start': 'provider',
      'GET /api/auth/openid/callback': 'provider',
      'GET /api/auth/openid/sign-out': 'provider',
      'GET /api/auth/openid/link': 'database',
      'POST /api/auth/openid/link': 'database',
      'POST /api/auth/openid/logout': 'database',
      'GET /api/sign-in-options': 'cheap',
      'OPTIONS /api/oauth/register': 'cheap',
      'OPTIONS /api/oauth/token': 'cheap',
      'OPTIONS /api/oauth/revoke': 'cheap',
      'POST /api/oauth/register': 'database',
      'GET /api/oauth/authorize': 'provider',
      'POST /api/oauth/token': 'database',
      'POST /api/oauth/revoke': 'database',
      'GET /api/oauth/requests/:id': 'database',
      'POST /api/oauth/requests/:id': 'database',
      'GET /api/oauth/grants': 'database',
      'DELETE /api/oauth/grants/:id': 'database',
      'POST /api/attachments': 'cpu',
      'GET /api/attachments/:id': 'database',
      'GET /api/attachments/:id/image': 'database',
      'GET /api/threads/:thread/export': 'database',
      'GET /api/threads/:thread/messages/:message': 'database',
      'GET /api/shares/:share/messages/:message': 'database',
      'POST /api/projects/:project/files': 'cpu',
      'GET /api/projects/:project/files/:file': 'database',
      'PUT /api/imports/:import/parts/:part': 'database',
      'GET /api/imports/:import/report': 'database',
      'ALL *': 'cheap',
    });
  });
});
