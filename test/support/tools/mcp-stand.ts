// The api role's tool routes on a real socket, over a database of its own and a stand-in for the integration provider.
import { createSecretKey } from 'node:crypto';
import { Hono } from 'hono';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/base/config.ts';
import type { Catalog } from '../../../src/catalog/connector-types.ts';
import { loadConnectors } from '../../../src/catalog/load-connectors.ts';
import type { Reference } from '../../../src/connections/connection-types.ts';
import { storeReference } from '../../../src/connections/stored-reference.ts';
import type { Scope } from '../../../src/contract/tokens.ts';
import type { RequestHeaders } from '../../../src/net/authorization.ts';
import { authenticateToken } from '../../../src/http/shell/authenticate-token.ts';
import { errorResponse } from '../../../src/http/shell/write-error.ts';
import { mcpRoute } from '../../../src/http/mcp/mcp-route.ts';
import type { McpTools } from '../../../src/http/mcp/mcp-tools.ts';
import { createAdmission } from '../../../src/http/shell/admission/admission.ts';
import { plainRoutes } from '../../../src/http/shell/plain-routes.ts';
import { mountCalls } from '../../../src/http/runtime/call-routes.ts';
import { appListener } from '../../../src/http/shell/app-listener.ts';
import { mountConnectionTools } from '../../../src/http/runtime/connection-tools-route.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { createOpenStreams } from '../../../src/http/shell/streams/open-streams.ts';
import { createNangoClient } from '../../../src/nango/nango-client.ts';
import { createReceiptWriter } from '../../../src/receipts/receipt-writer.ts';
import type { Database } from '../../../src/store/database.ts';
import { mintToken } from '../../../src/tenancy/tokens/mint-token.ts';
import { createTokenVerifier } from '../../../src/tenancy/tokens/verify-token.ts';
import { createToolDeps } from '../../../src/tools/create-tool-deps.ts';
import type { ToolDeps } from '../../../src/tools/tool-deps.ts';
import { openTestDatabase, quiet } from '../database.ts';
import type { Body } from '../http-client.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../people.ts';
import { type ProviderStand, startProviderStand } from './mcp-provider.ts';

export const CONNECT_SECRET = 'connect secret of the tool tests';
const KEY = createSecretKey(Buffer.from(CONNECT_SECRET));
export const SECRET_KEY = '2f9b4d8e-6c1a-4f53-9b7e-0d2a8c4e6f10';
export const WRAPPING_KEY = Buffer.alloc(32, 7);

export interface StandOptions {
  readonly configured?: boolean;
  readonly timeoutMs?: number;
  readonly catalog?: Catalog;
  readonly requestsPerMinute?: number;
  readonly extend?: (tools: McpTools) => McpTools;
  readonly db?: Database;
}

interface Place {
  readonly organizationId: string;
  readonly workspaceId: string;
}

export interface ToolStand {
  readonly url: string;
  readonly db: Database;
  readonly provider: ProviderStand;
  readonly tools: ToolDeps;
  readonly owner: Person;
  readonly organization: TestOrganization;
  /** The owner's Default workspace. */
  readonly place: Place;
  connect(provider: string, options?: { name?: string; place?: Place; reference?: Reference }): Promise<string>;
  setPolicy(
    connection: string,
    policy: { actions?: Record<string, boolean>; enforce?: boolean; selected?: string[] },
  ): Promise<void>;
  token(options?: {
    person?: Person;
    organizationId?: string;
    workspaceId?: string;
    scopes?: Scope[];
  }): Promise<string>;
  call(token: string, body: unknown): Promise<{ status: number; headers: Headers; text: string; body: Body }>;
  close(): Promise<void>;
}

export async function startToolStand(options: StandOptions = {}): Promise<ToolStand> {
  const db = options.db ?? (await openTestDatabase({ poolMax: 4 }));
  const provider = await startProviderStand();
  const owner = await addPerson(db, 'owner');
  const organization = await addOrganization(db, owner);
  const place = { organizationId: organization.id, workspaceId: organization.defaultId };
  const configured = options.configured ?? true;
  const config = readConfig({
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: WRAPPING_KEY.toString('base64'),
    ...(configured
      ? {
          SERVICE_INTEGRATIONS_URL: provider.url,
          SERVICE_INTEGRATIONS_SECRET_KEY: SECRET_KEY,
          SERVICE_INTEGRATIONS_WEBHOOK_SECRET: 'webhook',
        }
      : {}),
  });
  const nango = configured ? createNangoClient({ url: provider.url, secretKey: SECRET_KEY }) : undefined;
  const receipts = createReceiptWriter({ db, clock: systemClock });
  const built = createToolDeps({
    db,
    config,
    catalog: options.catalog ?? loadConnectors(),
    nango,
    receipts,
    clock: systemClock,
    version: '9.9.9',
  });
  const tools = { ...built, timeoutMs: options.timeoutMs ?? built.timeoutMs };

  const verifier = createTokenVerifier(KEY, systemClock);
  const authenticate = (headers: RequestHeaders) => authenticateToken({ db, verifier }, headers);
  const app = new Hono();
  app.onError((error) => errorResponse(error, quiet));
  const admission = createAdmission();
  const plain = plainRoutes(app, admission);
  mountCalls(plain, { db, authenticate: (request) => authenticate(request.headers), tools, log: quiet });
  mountConnectionTools(plain, { db, authenticate: (request) => authenticate(request.headers), tools });
  const mcp = mcpRoute({
    db,
    publicUrl: 'http://localhost:4000',
    authenticate,
    tools,
    streams: createOpenStreams({ db, log: quiet }),
    requestsPerMinute: options.requestsPerMinute ?? 100_000,
    version: '9.9.9',
    clock: systemClock,
    log: quiet,
    admission,
    ...(options.extend ? { extend: options.extend } : {}),
  });
  const serving = await serve(appListener(app, [mcp], { log: quiet }), {
    port: 0,
  });
  const url = `http://127.0.0.1:${serving.port}`;

  return {
    url,
    db,
    provider,
    tools,
    owner,
    organization,
    place,
    async connect(connector, { name = 'default', place: at = place, reference } = {}) {
      const stored =
        reference ??
        ({
          kind: 'integration-reference',
          integrationId: connector,
          connectionId: `at-provider-${connector}-${name}`,
        } as const);
      const id = await db.transaction((tx) =>
        storeReference(db, tx, WRAPPING_KEY, {
          address: { ...at, provider: connector, name },
          reference: stored,
          whenTaken: 'replace',
        }),
      );
      return id ?? '';
    },
    async setPolicy(connection, { actions = {}, enforce = false, selected = [] }) {
      await db.query(
        `insert into :schema.connection_policy (connection_id, actions, enforce_repositories, selected_repositories) values ($1, $2, $3, $4)
         on conflict (connection_id) do update set actions = $2, enforce_repositories = $3, selected_repositories = $4`,
        [connection, JSON.stringify(actions), enforce, selected],
      );
    },
    async token({
      person = owner,
      organizationId = organization.id,
      workspaceId,
      scopes = ['connect:read', 'connect:write'] as Scope[],
    } = {}) {
      const minted = await mintToken(
        { db, key: KEY, clock: systemClock },
        { userId: person.id, organizationId, workspaceId, scopes, lifetimeSeconds: 3_600 },
      );
      return minted.token;
    },
    async call(token, body) {
      const response = await fetch(`${url}/connect/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    },
    async close() {
      await mcp.close();
      await serving.close();
      await receipts.drain();
      await built.close();
      await nango?.close();
      await provider.close();
      if (!options.db) await db.close();
    },
  };
}
