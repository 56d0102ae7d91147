import { implement } from '@orpc/server';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MIGRATIONS, openTestDatabase, quiet } from '../../../test/support/database.ts';
import { addOrganization, addPerson } from '../../../test/support/people.ts';
import { systemClock } from '../../base/clock.ts';
import { readConfig } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { needsScope } from '../../contract/needs-scope.ts';
import type { FindSandbox } from '../../runs/delivery/find-sandbox.ts';
import { createReceiptWriter } from '../../receipts/receipt-writer.ts';
import { measureDatabase, type MeasuredDatabase } from '../../store/measure-database.ts';
import { readMigrations } from '../../store/migrate.ts';
import { announceProcess, type Announced } from '../../store/announce-process.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { appListener } from '../shell/app-listener.ts';
import { serve, type Serving } from '../shell/serve.ts';
import { createRuntimeApp, type RuntimeRoutes } from './app.ts';
import type { DebugRuns } from './debug-runs.ts';
import { createMetrics } from './metrics.ts';

const TOKEN = 'debug-token-of-the-operator';
const BEARER = { authorization: `Bearer ${TOKEN}` };

let db: MeasuredDatabase;
let announced: Announced;
const servings: Serving[] = [];
beforeAll(async () => {
  db = measureDatabase(await openTestDatabase(), 2);
  announced = await announceProcess(db, {
    role: 'api',
    group: 'service-api',
    version: '9.9.9',
    build: 'b1',
    log: quiet,
  });
});
afterAll(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  await announced.close();
  await db.close();
});

async function createApp(
  options: {
    environment?: Record<string, string>;
    routes?: RuntimeRoutes;
    log?: Log;
    database?: MeasuredDatabase;
    jobs?: DebugRuns;
  } = {},
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const { environment = { SERVICE_DEBUG_TOKEN: TOKEN }, routes = {}, log = quiet, database = db, jobs: runs } = options;
  const metrics = createMetrics({ version: '9.9.9', build: 'b1', role: 'api' });
  const app = createRuntimeApp({
    role: 'api',
    version: '9.9.9',
    build: 'b1',
    config: readConfig(environment),
    log,
    db: database,
    migrations: await readMigrations(MIGRATIONS),
    metrics,
    routes,
    ...(runs ? { jobs: runs } : {}),
  });
  const serving = await serve(appListener(app, [], { log, meter: metrics.http }), { port: 0 });
  servings.push(serving);
  return (path, init) => fetch(`http://127.0.0.1:${serving.port}${path}`, init);
}

const brokenDatabase = (): MeasuredDatabase => ({
  ...db,
  query: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })),
});

describe('health', () => {
  it('answers 200 with role, version and database', async () => {
    const response = await (await createApp())('/healthz');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      ok: true,
      role: 'api',
      version: '9.9.9',
      build: 'b1',
      database: 'ok',
      uptimeSeconds: expect.any(Number),
    });
  });

  it('answers 503 with the failed check, without the address of the database', async () => {
    const response = await (await createApp({ database: brokenDatabase() }))('/healthz');
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      ok: false,
      error: 'unavailable',
      database: 'failed',
      details: { database: 'ECONNREFUSED' },
    });
    expect(text).not.toContain('10.0.0.1');
  });
});

describe('unknown routes', () => {
  it.each([
    ['GET', '/connect'],
    ['GET', '/connect/'],
    ['GET', '/connect/nothing'],
    ['DELETE', '/connect/connectors'],
    ['POST', '/connect/connections/x/y'],
  ])('%s %s is 404 not_found in JSON', async (method, path) => {
    const response = await (await createApp())(path, { method });
    expect([response.status, response.headers.get('cache-control'), await response.json()]).toMatchObject([
      404,
      'no-store',
      { ok: false, error: 'not_found' },
    ]);
  });

  it.each(['/connection', '/connected/x', '/', '/nothing', '/runtime/', '/runtime/nothing', '/healthz/more', '/jobs'])(
    '%s is 404, plain text "Not found"',
    async (path) => {
      const response = await (await createApp())(path);
      expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
        404,
        'Not found',
        expect.stringMatching(/^text\/plain/),
      ]);
    },
  );

  it('an unknown method of a known path is unknown too', async () => {
    const response = await (await createApp())('/healthz', { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([404, 'Not found']);
  });
});

describe('routes that are added', () => {
  const contract = {
    read: needsScope('jobs:read', 'database')
      .route({ method: 'GET', path: '/things/{id}' })
      .input(z.strictObject({ id: z.string() }))
      .output(z.object({ id: z.string(), who: z.string() })),
  };
  const route = implement(contract).$context<{ caller: Caller }>();
  const router = route.router({
    read: route.read.handler(({ input, context }) => ({ id: input.id, who: context.caller.userId })),
  });
  const routes: RuntimeRoutes = {
    plain: {
      things: (plain) =>
        plain.on({
          method: 'GET',
          path: '/things/:id',
          cost: 'stream',
          identify: (c) => (c.req.header('accept') === 'text/event-stream' ? { userId: 'somebody' } : undefined),
          handle: (c) => c.text('tail'),
        }),
    },
    contract: {
      routers: { receipts: router },
      context: async (request) => {
        const who = request.headers.get('x-who');
        if (who === null) throw new AppError('unauthenticated');
        const scopes = new Set((request.headers.get('x-scopes') ?? 'jobs:read').split(' ')) as Caller['scopes'];
        return {
          caller: {
            userId: who,
            tokenId: 'tok_1',
            expiresAtMs: Number.MAX_SAFE_INTEGER,
            organizationId: undefined,
            workspaceId: undefined,
            membership: undefined,
            scopes,
          },
        };
      },
    },
  };

  it('reach the contract with the caller, after the plain routes', async () => {
    const request = await createApp({ routes });
    expect(await (await request('/things/7', { headers: { 'x-who': 'ada' } })).json()).toEqual({ id: '7', who: 'ada' });
    expect(await (await request('/things/7', { headers: { accept: 'text/event-stream' } })).text()).toBe('tail');
  });

  it('refuse with the error body', async () => {
    const response = await (await createApp({ routes }))('/things/7');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ ok: false, error: 'unauthenticated' });
  });

  it('refuse a token without the scope that the contract names', async () => {
    const headers = { 'x-who': 'ada', 'x-scopes': 'chat connect:write' };
    const response = await (await createApp({ routes }))('/things/7', { headers });
    expect([response.status, await response.json()]).toMatchObject([403, { error: 'insufficient_scope' }]);
  });

  it('are counted under their pattern', async () => {
    const request = await createApp({ routes });
    for (const id of ['1', '2', '3']) await request(`/things/${id}`, { headers: { 'x-who': 'ada' } });
    const text = await (await request('/metrics')).text();
    expect(text).toContain('service_http_requests_total{method="GET",route="/things/:id",status="200"} 3');
    expect(text).not.toContain('/things/1');
  });
});

describe('metrics', () => {
  it('are Prometheus text with every documented family', async () => {
    const request = await createApp();
    await request('/healthz');
    await request('/some/secret/path?token=abc');
    await request('/service-debug/nothing', { method: 'PROPFIND', headers: BEARER });
    const response = await request('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const samples = parseMetrics(await response.text());
    expect(samples.get('service_http_requests_total{method="GET",route="/healthz",status="200"}')).toBe(1);
    expect(samples.get('service_http_requests_total{method="GET",route="unknown",status="404"}')).toBe(1);
    expect(samples.get('service_http_requests_total{method="other",route="/service-debug/*",status="404"}')).toBe(1);
    expect(samples.get('service_http_request_duration_seconds_count{method="GET",route="/healthz"}')).toBe(1);
    expect(samples.get('service_database_up')).toBe(1);
    expect(samples.get('service_database_pool_connections{state="max"}')).toBe(2);
    expect(samples.get('service_processes{role="api",state="running"}')).toBe(1);
    expect(samples.get('service_processes{role="driver",state="running"}')).toBe(0);
    expect(samples.has('service_receipts_appended_total')).toBe(true);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect([...samples.keys()].join('\n')).not.toMatch(/secret|abc/);
  });

  it('are served while the database is down', async () => {
    const response = await (await createApp({ database: brokenDatabase() }))('/metrics');
    expect(response.status).toBe(200);
    expect(parseMetrics(await response.text()).get('service_database_up')).toBe(0);
  });
});

describe('the dashboard', () => {
  it('is HTML with a title, a language, captions and a content policy', async () => {
    const response = await (await createApp())('/runtime');
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toMatch(
      /<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<caption>\s*Roles\s*<\/caption>[\s\S]*<caption>\s*Processes\s*<\/caption>/,
    );
    expect(page).toContain('service-api');
    expect(page).toContain(`<td><span class="plain">${process.pid}</span></td>`);
  });

  it('has its style, its script and its figures where the page looks for them', async () => {
    const request = await createApp();
    const page = await (await request('/runtime')).text();
    const loaded = [...page.matchAll(/(?:src|href)="(runtime\/[^"]+)"/g)].map(([, address]) => `/${address}`);
    expect(loaded.sort()).toEqual(['/runtime/dashboard.css', '/runtime/dashboard.js']);
    for (const path of [...loaded, '/runtime/figures']) expect((await request(path)).status).toBe(200);
  });

  it('shows counts and no tenant data: no organization, person, workspace or stream', async () => {
    const owner = await addPerson(db, 'rosalind');
    const organization = await addOrganization(db, owner);
    const stream = `connect/${organization.defaultId}`;
    const writer = createReceiptWriter({ db, clock: systemClock });
    await writer.append(stream, {
      kind: 'tool.called',
      actor: `user:${owner.id}`,
      body: { tool: 'very-private-tool' },
    });
    const request = await createApp();
    const shown = [
      await (await request('/runtime')).text(),
      await (await request('/runtime/figures')).text(),
      await (await request('/metrics')).text(),
    ];
    expect(JSON.parse(shown[1] ?? '')).toMatchObject({
      figures: { stored: { receipts: { total: 1, streams: 1 } } },
      view: { values: { receipts: { text: '1' } } },
    });
    const { rows } = await db.query<{ name: string }>('select name from :schema.organization');
    for (const secret of [
      owner.id,
      owner.name,
      owner.email,
      organization.id,
      organization.slug,
      organization.defaultId,
      stream,
      'connect/',
      'very-private-tool',
      db.schema,
      ...rows.map(({ name }) => name),
    ]) {
      for (const text of shown) expect(text).not.toContain(secret);
    }
  });
});

describe('diagnostics', () => {
  it.each([
    '/service-debug',
    '/service-debug/',
    '/service-debug/config',
    '/service-debug/nothing',
    '/service-debug/a/b',
  ])('%s answers 503 service_debug_disabled while nothing is configured', async (path) => {
    const request = await createApp({ environment: {} });
    for (const init of [{}, { headers: BEARER }, { method: 'PUT', body: '{}' }]) {
      const response = await request(path, init);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ ok: false, error: 'service_debug_disabled' });
    }
  });

  it('answer 401 to a wrong or missing token on every path, even if it does not exist', async () => {
    const request = await createApp();
    for (const path of ['/service-debug/', '/service-debug/config', '/service-debug/nothing']) {
      for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
        const response = await request(path, { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('Bearer');
        expect(await response.json()).toMatchObject({ ok: false, error: 'unauthenticated' });
      }
    }
  });

  it('have an index, and everything in it answers', async () => {
    const request = await createApp();
    for (const path of ['/service-debug', '/service-debug/']) {
      const response = await request(path, { headers: BEARER });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const { routes } = (await response.json()) as { routes: Record<string, string> };
      const reads = Object.keys(routes)
        .filter((route) => route.startsWith('GET '))
        .map((route) => route.slice(4));
      expect(reads).toEqual(
        [
          'health',
          'processes',
          'config',
          'database',
          'receipts',
          'jobs',
          'broker',
          'sandbox',
          'people',
          'organizations',
          'acts',
        ].map((name) => `/service-debug/${name}`),
      );
      for (const read of reads) expect([read, (await request(read, { headers: BEARER })).status]).toEqual([read, 200]);
    }
    expect(await (await request('/service-debug/nothing', { headers: BEARER })).text()).toBe('Not found');
  });

  it('show the report of the sandbox controller, or that it does not respond', async () => {
    const shown = async (findSandbox?: FindSandbox): Promise<unknown> =>
      (
        await (
          await createApp({ jobs: { figures: {} as never, dispatcher: { dispatch: () => {} }, findSandbox } })
        )('/service-debug/sandbox', { headers: BEARER })
      ).json();
    const healthy = {
      ok: true,
      driver: 'bubblewrap',
      limits: { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' },
      sandboxes: 2,
    } as const;
    const refusing = { ok: false, reason: 'bwrap is not installed', fix: 'apt-get install bubblewrap' } as const;
    expect(await shown(async () => healthy)).toEqual({ reachable: true, ...healthy });
    expect(await shown(async () => refusing)).toEqual({ reachable: true, ...refusing });
    for (const find of [undefined, async () => undefined])
      expect(await shown(find)).toEqual({ reachable: false, reason: 'the sandbox controller does not respond' });
  });

  it('report each check', async () => {
    const { ok, checks } = (await (await (await createApp())('/service-debug/health', { headers: BEARER })).json()) as {
      ok: boolean;
      checks: { name: string; ok: boolean }[];
    };
    expect(ok).toBe(false);
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'database', ok: true }),
        expect.objectContaining({ name: 'schema', ok: true }),
        expect.objectContaining({ name: 'role api', ok: true }),
        expect.objectContaining({ name: 'role driver', ok: false }),
      ]),
    );
  });

  it('are logged without the credential', async () => {
    const lines: string[] = [];
    const request = await createApp({
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    });
    await request('/service-debug/processes?token=in-the-query', { headers: BEARER });
    await request('/service-debug/processes', { headers: { authorization: 'Bearer guessed-token' } });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: 'diagnostics', path: '/service-debug/processes', status: 200, by: 'token' },
      { msg: 'diagnostics refused', path: '/service-debug/processes', status: 401 },
    ]);
    expect(lines.join('')).not.toMatch(/debug-token|guessed-token|in-the-query/);
  });
});

describe("an organization's plan", () => {
  const put = async (organization: string, body: string): Promise<Response> =>
    (await createApp())(`/service-debug/organizations/${organization}/plan`, { method: 'PUT', headers: BEARER, body });

  it('is changed by id or slug', async () => {
    const organization = await addOrganization(db, await addPerson(db), 'free');
    const { id, slug } = organization;
    expect(await (await put(id, '{"plan":"team"}')).json()).toEqual({
      ok: true,
      organization: { id, slug, plan: 'team' },
    });
    expect((await put(slug, '{"plan":"business"}')).status).toBe(200);
    expect((await db.query('select plan from :schema.organization where id = $1', [id])).rows).toEqual([
      { plan: 'business' },
    ]);
  });

  it('is refused: unknown organization 404, bad plan or body 400, large body 413', async () => {
    const { id } = await addOrganization(db, await addPerson(db), 'free');
    for (const [organization, body, status, error] of [
      ['org_nobody', '{"plan":"team"}', 404, 'not_found'],
      [id, '{"plan":"gold"}', 400, 'invalid_request'],
      [id, '{"plan":"team","more":1}', 400, 'invalid_request'],
      [id, '{}', 400, 'invalid_request'],
      [id, 'nonsense', 400, 'invalid_request'],
      [id, `{"plan":"${'x'.repeat(20_000)}"}`, 413, 'request_too_large'],
    ] as const) {
      const response = await put(organization, body);
      expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ ok: false, error })]);
    }
    expect((await db.query('select plan from :schema.organization where id = $1', [id])).rows).toEqual([
      { plan: 'free' },
    ]);
  });
});

describe('every request', () => {
  it('has an id: the one given by the gateway, or a new one', async () => {
    const request = await createApp();
    expect(
      (await request('/healthz', { headers: { 'x-request-id': 'req_from-gateway' } })).headers.get('x-request-id'),
    ).toBe('req_from-gateway');
    expect(
      (await request('/healthz', { headers: { 'x-request-id': 'bad id <>' } })).headers.get('x-request-id'),
    ).toMatch(/^req_/);
  });

  it('keeps its id even on a response that was fetched elsewhere and is immutable', async () => {
    const fetched = await fetch('data:text/plain,hello');
    const routes: RuntimeRoutes = {
      plain: {
        elsewhere: (plain) =>
          plain.on({
            method: 'GET',
            path: '/elsewhere',
            cost: 'cheap',
            identify: () => ({ userId: 'somebody' }),
            handle: () => fetched,
          }),
      },
    };
    const response = await (await createApp({ routes }))('/elsewhere');
    expect([response.headers.get('x-request-id'), await response.text()]).toEqual([
      expect.stringMatching(/^req_/),
      'hello',
    ]);
  });

  it('fails as internal, never with the text of a fault', async () => {
    const routes: RuntimeRoutes = {
      plain: {
        fault: (plain) =>
          plain.on({
            method: 'GET',
            path: '/fault',
            cost: 'cheap',
            identify: () => ({ userId: 'somebody' }),
            handle: () => Promise.reject(new Error('the text of a fault')),
          }),
      },
    };
    const response = await (await createApp({ routes }))('/fault');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('the text of a fault');
  });
});

/** Sample lines by name and labels; throws on a line that is neither a sample nor a comment. */
function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (?:HELP|TYPE) /.test(line)) continue;
    const [, name = '', value = ''] = /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) (-?[\d.e+-]+|NaN|[+-]Inf)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not a sample: ${line}`);
    samples.set(name, Number(value));
  }
  return samples;
}
