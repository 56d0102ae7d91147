// The api role as it is started, from its environment: tools over REST and MCP in one real process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import type { Body } from '../support/http-client.ts';
import {
  CONNECT_SECRET,
  SECRET_KEY,
  startToolStand,
  type ToolStand,
  WRAPPING_KEY,
} from '../support/tools/mcp-stand.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

let stand: ToolStand;
let runtime: RuntimeProcess;
let url: string;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-tools-'));
  stand = await startToolStand();
  await stand.connect('slack');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  runtime = startRuntime({
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: stand.db.schema,
    SERVICE_DATA_DIR: directory,
    SERVICE_RUNTIME_PORT: String(port),
    SERVICE_CONNECT_JWT_SECRET: CONNECT_SECRET,
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: WRAPPING_KEY.toString('base64'),
    SERVICE_INTEGRATIONS_URL: stand.provider.url,
    SERVICE_INTEGRATIONS_SECRET_KEY: SECRET_KEY,
    SERVICE_INTEGRATIONS_WEBHOOK_SECRET: 'webhook',
    SERVICE_MCP_REQUESTS_PER_MINUTE: '50',
  });
  await runtime.said('listening');
});
afterAll(async () => {
  await runtime.stop();
  await stand.close();
  await rm(directory, { recursive: true, force: true });
});

it('calls over REST with receipts that verify, and over MCP, and counts both by their routes', async () => {
  const token = await stand.token({ scopes: ['connect:read', 'receipts:read'] });
  const authorization = `Bearer ${token}`;
  const called = await fetch(`${url}/connect/call`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ connection: 'slack', tool: 'list-users', arguments: { limit: 1 } }),
  });
  const body = (await called.json()) as Body;
  expect([called.status, body.ok, body.data.url]).toEqual([200, true, '/users.list?limit=1']);
  const verified = (await (
    await fetch(`${url}/service/verify?stream=${body.receipt.stream}`, { headers: { authorization } })
  ).json()) as Body;
  expect(verified).toMatchObject({ ok: true, count: 2, head: { index: body.receipt.index, hash: body.receipt.hash } });

  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } } as never);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/connect/mcp`), { requestInit: { headers: { authorization } } }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'slack__get-channel-history',
    'slack__list-channels',
    'slack__list-users',
  ]);
  expect(JSON.stringify(await client.callTool({ name: 'slack__list-users', arguments: {} }))).toContain('/users.list');
  await client.close();

  const challenge = await fetch(`${url}/connect/mcp`, { method: 'POST' });
  // Answers that are written past the framework carry the request's id as all others do.
  expect(challenge.headers.get('x-request-id')).toMatch(/^req_/);
  const listed = await fetch(`${url}/connect/mcp`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': 'req_of-the-test',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  expect([listed.status, listed.headers.get('x-request-id')]).toEqual([200, 'req_of-the-test']);
  expect([challenge.status, challenge.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer resource_metadata="http://localhost:4000/.well-known/oauth-protected-resource/connect/mcp"',
  ]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(
    /service_http_requests_total\{method="POST",route="\/connect\/mcp",status="200"[^}]*\} [1-9]/,
  );
  expect(metrics).toMatch(/service_http_requests_total\{method="POST",route="\/connect\/mcp",status="401"[^}]*\} 1/);
  expect(JSON.stringify(runtime.lines)).not.toContain(SECRET_KEY);
});
