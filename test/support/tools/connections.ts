// The connection service in this process: the runtime's app on a database of its own, in front of a fake provider.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { SignJWT } from 'jose';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/base/config.ts';
import type { Log } from '../../../src/telemetry/log.ts';
import { loadConnectors } from '../../../src/catalog/load-connectors.ts';
import type { ConnectionDeps } from '../../../src/connections/connection-deps.ts';
import { repairConnections } from '../../../src/connections/read-repair.ts';
import { createRepairSchedule, type RepairSchedule } from '../../../src/connections/repair-schedule.ts';
import { authenticateToken } from '../../../src/http/shell/authenticate-token.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { createOpenStreams } from '../../../src/http/shell/streams/open-streams.ts';
import { createRuntimeApp } from '../../../src/http/runtime/app.ts';
import { createMetrics } from '../../../src/http/runtime/metrics.ts';
import { connectionsRouter } from '../../../src/http/runtime/connection-routes.ts';
import { mountConnectionStream } from '../../../src/http/runtime/connection-stream.ts';
import { mountIntegrationWebhook } from '../../../src/http/runtime/webhook-routes.ts';
import { createNangoClient } from '../../../src/nango/nango-client.ts';
import type { ProviderDatabase } from '../../../src/nango/provider-database.ts';
import type { Database } from '../../../src/store/database.ts';
import { openListener } from '../../../src/store/listen.ts';
import { measureDatabase } from '../../../src/store/measure-database.ts';
import { createTokenVerifier } from '../../../src/tenancy/tokens/verify-token.ts';
import { openTestDatabase, quiet } from '../database.ts';
import { type FakeNango, SECRET_KEY, startFakeNango } from './fake-nango.ts';
import type { Body } from '../http-client.ts';
import { addOrganization, addPerson, join, joinWorkspace, type Person, type TestOrganization } from '../people.ts';

const KEY = createSecretKey(Buffer.from('the-connect-secret-of-the-tests'));
const WEBHOOK_SECRET = 'the-webhook-secret-of-the-tests';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface TestConnections {
  readonly db: Database;
  readonly nango: FakeNango;
  readonly deps: ConnectionDeps;
  readonly repairs: RepairSchedule;
  readonly logged: string[];
  /** The events of a stream, one by one; ends when the stream does. */
  stream(path: string, token: string): AsyncGenerator<Body>;
  request(
    method: string,
    path: string,
    init?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  token(person: Person, organization: TestOrganization, scopes?: string, workspace?: string): Promise<string>;
  /** A webhook as the provider sends it, signed. */
  webhook(event: unknown, options?: { header?: string; secret?: string; raw?: string }): Promise<Answer>;
  /** An authorization as it happens: the provider has the connection, with the tags of the session, and sends the webhook. */
  authorize(event: ReturnType<typeof creation>, options?: { header?: string; raw?: string }): Promise<Answer>;
  close(): Promise<void>;
}

export interface ConnectionsOptions {
  readonly providerDatabase?: ProviderDatabase;
  readonly configured?: false;
  readonly wrappingKey?: undefined;
}

export async function openTestConnections(options: ConnectionsOptions = {}): Promise<TestConnections> {
  const [db, nango] = await Promise.all([openTestDatabase({ poolMax: 4 }), startFakeNango()]);
  const logged: string[] = [];
  const log = recordingLog(logged);
  const settings = {
    url: nango.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: 'https://service.example.test/integrations',
  };
  const client = createNangoClient(settings);
  const deps: ConnectionDeps = {
    db,
    log,
    clock: systemClock,
    catalog: loadConnectors(),
    wrappingKey: 'wrappingKey' in options ? options.wrappingKey : randomBytes(32),
    integrations: options.configured === false ? undefined : { client, settings },
    providerDatabase: options.providerDatabase,
  };
  const repairs = createRepairSchedule({ repair: (scope) => repairConnections(deps, scope), minIntervalMs: 0 });
  const verifier = createTokenVerifier(KEY, systemClock);
  const listener = openListener(db, quiet);
  const authenticate = (request: Request) => authenticateToken({ db, verifier }, request.headers);
  const app = createRuntimeApp({
    role: 'api',
    version: '0',
    build: 'abc',
    config: readConfig({}),
    log: quiet,
    db: measureDatabase(db, 4),
    migrations: { numbered: [], functions: [] },
    metrics: createMetrics({ version: '0', build: 'abc', role: 'api' }),
    routes: {
      plain: {
        stream: (hono) =>
          mountConnectionStream(hono, { ...deps, listener, streams: createOpenStreams(deps), authenticate }),
        webhook: (hono) => mountIntegrationWebhook(hono, deps),
      },
      contract: {
        routers: { connections: connectionsRouter({ ...deps, repairs }) },
        context: async (request) => ({ caller: await authenticate(request) }),
      },
    },
  });

  // Streams need a socket of their own.
  const serving = await serve(getRequestListener(app.fetch, { overrideGlobalObjects: false }), { port: 0 });

  const request: TestConnections['request'] = async (method, path, { token, body, headers = {} } = {}) => {
    const response = await app.request(path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
    };
  };

  const webhook: TestConnections['webhook'] = (
    event,
    { header = 'x-provider-hmac-sha256', secret = WEBHOOK_SECRET, raw = JSON.stringify(event) } = {},
  ) =>
    request('POST', '/connect/integrations/webhook', {
      body: raw,
      headers: { [header]: createHmac('sha256', secret).update(raw).digest('hex') },
    });

  return {
    db,
    nango,
    deps,
    repairs,
    logged,
    request,
    async *stream(path, token) {
      const response = await fetch(`http://127.0.0.1:${serving.port}${path}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          text = text.slice(end + 2);
          if (data !== undefined) yield JSON.parse(data);
        }
      }
    },
    token: (person, organization, scopes = 'connect:read connect:write', workspace) =>
      new SignJWT({ org: organization.id, scope: scopes, ...(workspace === undefined ? {} : { ws: workspace }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(person.id)
        .setExpirationTime('1h')
        .sign(KEY),
    webhook,
    authorize(event, options) {
      const { connectionId, providerConfigKey, tags } = event as typeof event & {
        providerConfigKey: string;
        tags?: Record<string, unknown>;
      };
      const known = nango.connections.find(({ connection_id: id }) => id === connectionId);
      if (known) known.tags = tags ?? null;
      else
        nango.connections.unshift({
          connection_id: connectionId,
          provider_config_key: providerConfigKey,
          provider: providerConfigKey,
          tags: tags ?? null,
          created: new Date().toISOString(),
        });
      return webhook(event, options);
    },
    async close() {
      await repairs.idle();
      serving.server.closeAllConnections();
      await serving.close();
      await listener.close();
      await client.close();
      await nango.close();
      await db.close();
    },
  };
}

function recordingLog(lines: string[]): Log {
  const child: Record<string, unknown> = Object.create(quiet) as Record<string, unknown>;
  for (const level of ['info', 'warn', 'error'])
    child[level] = (...parts: unknown[]) =>
      void lines.push(
        parts
          .map((part) =>
            typeof part === 'string'
              ? part
              : JSON.stringify(part, (_, value: unknown) =>
                  value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
                ),
          )
          .join(' '),
      );
  return child as unknown as Log;
}

/** An organization with an owner, a plain member, and a named workspace that only the owner is in. */
export interface Cast {
  readonly organization: TestOrganization;
  readonly owner: Person;
  readonly member: Person;
  readonly outsider: Person;
  readonly namedId: string;
}

export async function addCast(db: Database): Promise<Cast> {
  const [owner, member, outsider] = [
    await addPerson(db, 'owner'),
    await addPerson(db, 'member'),
    await addPerson(db, 'outsider'),
  ];
  const organization = await addOrganization(db, owner);
  await join(db, organization.id, member, 'member');
  const namedId = `ws_${randomBytes(6).toString('hex')}`;
  await db.query(
    "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, $3, 'Named', 'named')",
    [namedId, organization.id, namedId.replaceAll('_', '-')],
  );
  await joinWorkspace(db, organization.id, namedId, owner, 'owner');
  return { organization, owner, member, outsider, namedId };
}

let events = 0;

/** The body of a creation webhook, keys as the provider sends them. */
export function creation(
  tags: Record<string, string | undefined>,
  change: Record<string, unknown> = {},
): Record<string, unknown> & { connectionId: string } {
  return {
    authMode: 'OAUTH2',
    connectionId: `conn-${++events}-${randomBytes(3).toString('hex')}`,
    environment: 'prod',
    from: 'nango',
    operation: 'creation',
    provider: 'github',
    providerConfigKey: 'github',
    success: true,
    tags,
    type: 'auth',
    ...change,
  };
}
