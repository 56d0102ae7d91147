// /connect/mcp compared with the usual server of the official SDK v1 (one McpServer with all tools for each request):
// the same 91 tools, the same load, a process each on one core, by processor time per request. The database and the
// provider are in memory on both sides, so that the protocol is measured; tokens are verified, and requests counted and
// traced, on ours only.
import { type ChildProcess, fork } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Hono } from 'hono';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { Pool } from 'undici';
import { z } from 'zod';
import { systemClock } from '../src/base/clock.ts';
import type { Tool } from '../src/catalog/connector-types.ts';
import { loadConnectors } from '../src/catalog/load-connectors.ts';
import type { Connection } from '../src/connections/connection-types.ts';
import { authenticateToken } from '../src/http/shell/authenticate-token.ts';
import { createAdmission } from '../src/http/shell/admission/admission.ts';
import { mcpRoute } from '../src/http/mcp/mcp-route.ts';
import { appListener } from '../src/http/shell/app-listener.ts';
import { createMetrics } from '../src/http/runtime/metrics.ts';
import { serve } from '../src/http/shell/serve.ts';
import { createOpenStreams } from '../src/http/shell/streams/open-streams.ts';
import type { Queryable } from '../src/store/database.ts';
import { createTokenVerifier } from '../src/tenancy/tokens/verify-token.ts';
import { createSchemaChecks } from '../src/tools/compile-schemas.ts';
import { createLoadingCache } from '../src/timing/bounded-cache.ts';
import type { Aim } from './support/aims.ts';
import { median } from './support/median.ts';
import { isProfiling, isWanted, PROFILING } from './support/profile.ts';

const ROUNDS = 5;
const CONNECTIONS = 8;
const TARGETS = { 'tools/list': 50, 'tools/call': 7 } as const;
/** As a multiple of a bare server that sends the same bytes. */
const OF_BARE = { 'tools/list': 1.23, 'tools/call': 1.67 } as const;
// All of them are warm after a round: code is compiled by how often it ran.
const REQUESTS = {
  service: { 'tools/list': 4_000, 'tools/call': 16_000 },
  'sdk-v1': { 'tools/list': 100, 'tools/call': 2_000 },
  'node:http': { 'tools/list': 4_000, 'tools/call': 16_000 },
} as const;
const ANSWER = Buffer.from(
  JSON.stringify({ members: Array.from({ length: 20 }, (_, at) => ({ id: `U${at}`, name: `person-${at}` })) }),
);
const KEY = createSecretKey(Buffer.from('a-connect-secret-for-the-bench'));

const SIDES_MEASURED: readonly Side[] = ['service', ...(isProfiling ? [] : (['sdk-v1'] as const)), 'node:http'];

type Side = keyof typeof REQUESTS;
type Method = keyof typeof TARGETS;

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const aims: Aim[] = [];
  const sides = await Promise.all(SIDES_MEASURED.map(startSide));
  try {
    report(`mcp, 91 tools, processor µs per request, median of ${ROUNDS} rounds`);
    for (const method of (Object.keys(TARGETS) as Method[]).filter(isWanted)) {
      const micros: Record<Side, number[]> = { service: [], 'sdk-v1': [], 'node:http': [] };
      for (let round = 0; round <= ROUNDS; round++) {
        for (const { side, port, child } of sides) {
          const perRequest = await measure(port, child, method, REQUESTS[side][method]);
          if (round > 0) micros[side].push(perRequest);
        }
      }
      const [ours, theirs, floor] = [median(micros.service), median(micros['sdk-v1']), median(micros['node:http'])];
      aims.push({ work: `mcp ${method}`, figure: ours / floor, unit: '× bare node:http', atMost: OF_BARE[method] });
      const ratio = theirs / ours;
      const peer = `   SDK v1 ${theirs.toFixed(0).padStart(6)}   ${ratio.toFixed(1)}× less, at least ${TARGETS[method]}×: ${ratio >= TARGETS[method] ? 'held' : 'MISSED'}`;
      report(
        `  ${method.padEnd(12)} service ${ours.toFixed(0).padStart(6)}   bare node:http ${floor.toFixed(0).padStart(4)}${isProfiling ? '' : peer}`,
      );
    }
  } finally {
    await Promise.all(sides.map(endSide));
  }
  return aims;
}

interface Running {
  readonly side: Side;
  readonly port: number;
  readonly child: ChildProcess;
}

function startSide(side: Side): Promise<Running> {
  const child = fork(import.meta.filename, [side], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...(side === 'service' ? PROFILING : [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${side} ended`)));
    child.once('message', (port) => resolve({ side, port: port as number, child }));
  });
}

/** A side ends by itself when it is let go, which is when a profile is written. */
function endSide({ child }: Running): Promise<void> {
  return new Promise((resolve) => {
    if (!child.connected) return resolve();
    child.once('exit', () => resolve());
    child.disconnect();
  });
}

async function measure(port: number, child: ChildProcess, method: Method, count: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  const token = await new SignJWT({ org: 'org_1', scope: 'connect:read' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('usr_1')
    .setExpirationTime('1h')
    .sign(KEY);
  const params = method === 'tools/list' ? {} : { name: 'slack__list-users', arguments: { limit: 20 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const before = await cpuMicros(child);
  let left = count;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const answer = await pool.request({ path: '/connect/mcp', method: 'POST', headers, body });
        const text = await answer.body.text();
        if (answer.statusCode !== 200 || !text.includes('"result"'))
          throw new Error(`${answer.statusCode} ${text.slice(0, 200)}`);
      }
    }),
  );
  const used = (await cpuMicros(child)) - before;
  await pool.close();
  return used / count;
}

function cpuMicros(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (micros) => resolve(micros as number));
    child.send('cpu');
  });
}

const SIDES: Record<Side, () => Promise<number>> = {
  'node:http': startBare,

  async service() {
    const catalog = loadConnectors();
    const connections = catalog.connectors.map(({ id }): Connection => connectionOf(id));
    const bySelector = new Map(connections.map((connection) => [`${connection.provider}:default`, connection]));
    const row = {
      revoked: false,
      organization_id: 'org_1',
      organization_slug: 'o',
      organization_name: 'O',
      organization_role: 'owner',
      plan: 'free',
      workspace_id: 'ws_1',
      workspace_slug: 'default',
      workspace_name: 'Default',
      workspace_kind: 'default',
      workspace_created_at: new Date(),
      workspace_role: 'owner',
    };
    const db: Queryable = { query: async () => ({ rows: [row] as never[], rowCount: 1 }) };
    const verifier = createTokenVerifier(KEY, systemClock);
    const never = () => Promise.reject(new Error('not asked here'));
    const log = pino({ level: 'info' });
    const mcp = mcpRoute({
      db,
      publicUrl: 'http://localhost:4000',
      authenticate: (headers) => authenticateToken({ db, verifier }, headers),
      requestsPerMinute: 1_000_000_000,
      streams: createOpenStreams({ db, log }),
      version: '1',
      clock: systemClock,
      log,
      admission: createAdmission(),
      tools: {
        catalog,
        schemas: createSchemaChecks(),
        timeoutMs: 30_000,
        receipts: { append: never },
        connections: {
          find: async (_place, selector) => bySelector.get(selector),
          list: async () => connections,
          readReference: () => ({ kind: 'integration-reference', integrationId: 'i', connectionId: 'c' }),
          restore: async () => {},
        },
        provider: {
          proxy: async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: ANSWER }),
          getConnection: never,
          openMcpServer: never,
        },
        sites: createLoadingCache({ ttlMs: 1, most: 1 }),
        discovered: createLoadingCache({ ttlMs: 1, most: 1 }),
      },
    });
    return (
      await serve(
        appListener(new Hono(), [mcp], { log, meter: createMetrics({ version: '1', build: 'abc', role: 'api' }).http }),
        {
          port: 0,
        },
      )
    ).port;
  },

  async 'sdk-v1'() {
    const tools = loadConnectors().connectors.flatMap(({ id, tools: own }) =>
      (own as readonly Tool[]).map((tool) => ({
        name: `${id}__${tool.name}`,
        tool,
        inputSchema: z.fromJSONSchema(structuredClone(tool.inputSchema) as never),
      })),
    );
    const server = createServer((request, response) => {
      const mcp = new McpServer({ name: 'peer', version: '1' });
      for (const { name, tool, inputSchema } of tools) {
        mcp.registerTool(
          name,
          {
            description: tool.description,
            inputSchema: inputSchema as never,
            annotations: { readOnlyHint: tool.access === 'read' },
          },
          (async () => ({
            content: [{ type: 'text', text: JSON.stringify(JSON.parse(ANSWER.toString('utf8'))) }],
          })) as never,
        );
      }
      const transport = new StreamableHTTPServerTransport();
      response.on('close', () => void mcp.close());
      void mcp.connect(transport as never).then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
};

/** The least a server can do: read the body and answer with as many bytes. */
async function startBare(): Promise<number> {
  const list = JSON.stringify({ result: loadConnectors().connectors.flatMap(({ tools }) => tools as readonly Tool[]) });
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(text.includes('tools/list') ? list : `{"result":${ANSWER.toString('utf8')}}`),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function connectionOf(provider: string): Connection {
  const nothing = Buffer.alloc(0);
  return {
    id: `con_${provider}`,
    organizationId: 'org_1',
    workspaceId: 'ws_1',
    provider,
    name: 'default',
    kind: 'integration-reference',
    status: 'valid',
    reason: undefined,
    expiry: undefined,
    lastValidatedAt: undefined,
    createdAt: new Date(),
    updatedAt: new Date(),
    policy: {
      actions: provider === 'slack' ? { 'post-message': true } : {},
      repositories: { enforce: false, selected: [] },
      push: 'off',
    },
    sealed: { ciphertext: nothing, iv: nothing, authTag: nothing },
  };
}

const [, , side] = process.argv;
if (process.send && side !== undefined && side in SIDES) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on('disconnect', () => process.exit(0));
  process.send(await SIDES[side as Side]());
}
