// Clients that people use, unchanged, list and call tools at /connect/mcp.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerJson } from '../support/tools/mcp-provider.ts';
import { startToolStand, type ToolStand } from '../support/tools/mcp-stand.ts';

let stand: ToolStand;
let token: string;
let mcpUrl: string;
const NAMES = [
  'github--work__get-issue',
  'github--work__get-repository',
  'github--work__list-issues',
  'github--work__list-pull-requests',
  'github--work__list-repositories',
  'jira__read-provider-resource',
  'stripe-api-key__get-balance',
  'stripe-api-key__list-customers',
  'stripe-api-key__list-invoices',
];

beforeAll(async () => {
  stand = await startToolStand();
  token = await stand.token();
  mcpUrl = `${stand.url}/connect/mcp`;
  await stand.connect('github', { name: 'work' });
  await stand.connect('stripe-api-key');
  await stand.connect('jira');
  await stand.connect('linear-mcp');
  stand.provider.answer(answerJson(200, { available: [{ amount: 7 }] }));
});
afterAll(() => stand.close());

const headers = (): Record<string, string> => ({ authorization: `Bearer ${token}` });
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('SDK v2', () => {
  it.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)('with version negotiation %j', async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers: headers() } }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
    expect(JSON.parse(textOf(await client.callTool({ name: 'stripe-api-key__get-balance', arguments: {} })))).toEqual({
      ok: true,
      status: 200,
      headers: { 'content-type': 'application/json' },
      data: { available: [{ amount: 7 }] },
    });
    expect(await client.callTool({ name: 'stripe-api-key__nothing', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'integration action not found or disabled' }, {}],
    });
    await client.close();
  });
});

it('SDK v1', async () => {
  const client = new ClientV1({ name: 'test', version: '1' });
  await client.connect(new TransportV1(new URL(mcpUrl), { requestInit: { headers: headers() } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  expect(tools[0]?.annotations).toEqual({ readOnlyHint: true });
  expect(textOf(await client.callTool({ name: 'stripe-api-key__get-balance' }))).toContain('"amount":7');
  await client.close();
});

it('the AI SDK', async () => {
  const client = await createMCPClient({ transport: { type: 'http', url: mcpUrl, headers: headers() } });
  const tools = await client.tools();
  expect(Object.keys(tools).sort()).toEqual(NAMES);
  const result = await tools['stripe-api-key__get-balance']?.execute?.({}, { toolCallId: '1', messages: [] } as never);
  expect(textOf(result)).toContain('"amount":7');
  await client.close();
});

it('mcp-remote, which bridges clients that only speak over standard input', async () => {
  const home = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(import.meta.dirname, '..', '..', 'node_modules', 'mcp-remote', 'dist', 'proxy.js'),
      mcpUrl,
      '--allow-http',
      '--transport',
      'http-only',
      '--header',
      `Authorization:Bearer ${token}`,
    ],
    env: { PATH: '/usr/bin:/bin', HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    stderr: 'ignore',
  });
  const client = new ClientV1({ name: 'test', version: '1' });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
  expect(textOf(await client.callTool({ name: 'stripe-api-key__get-balance' }))).toContain('"amount":7');
  await client.close();
  await rm(home, { recursive: true, force: true });
});

describe('the Inspector on the command line', () => {
  it('lists, with schemas that every client can take', async () => {
    const { code, stdout } = await inspect('--strict', '--method', 'tools/list');
    expect([code, (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name)]).toEqual([
      0,
      NAMES,
    ]);
  });

  it('calls, and fails where the tool does', async () => {
    const called = await inspect('--method', 'tools/call', '--tool-name', 'stripe-api-key__get-balance');
    expect([called.code, textOf(JSON.parse(called.stdout))]).toEqual([0, expect.stringContaining('"amount":7')]);
    expect((await inspect('--method', 'tools/call', '--tool-name', 'github--work__create-issue')).code).toBe(5);
  });
});

async function inspect(...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const program = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'mcp-inspector');
  const child = spawn(
    program,
    ['--cli', mcpUrl, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, ...args],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: `${process.execPath.slice(0, -'/node'.length)}:/usr/bin:/bin`, HOME: tmpdir() },
    },
  );
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout };
}
