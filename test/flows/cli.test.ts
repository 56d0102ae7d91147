// servicectl against the real stack, as people and scripts use it: in a pipe and on a terminal. Most commands run in this
// process; signing in, the terminal, followed streams, operators' commands, the package and the guide run what was built.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type SignedIn, signUp } from '../support/http-client.ts';
import { submit, visit } from '../support/tools/local-provider.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { findOlderNode } from '../support/older-node.ts';
import { poll } from '../support/poll.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import {
  type Ran,
  type RunOptions,
  type Running,
  runProgram,
  SERVICECTL,
  servicectl,
  startOnTerminal,
  startServicectl,
} from '../support/cli/servicectl.ts';
import { runHere } from '../support/cli/run-here.ts';
import { readFences, runBlock } from '../support/stack/guides.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const USER_GUIDES = join(import.meta.dirname, '..', '..', 'docs', 'users');
const DEBUG_TOKEN = 'debug-token-of-the-flow';
const WRAPPING_KEY = randomBytes(32).toString('base64');
const PROVIDER_KEY = randomUUID();
let stack: TestStack;
let home: string;
let owner: SignedIn;
let organization: Body;
let defaultId: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'servicectl-'));
  stack = await startStack({
    environment: {
      SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
      BYOK_ENCRYPTION_KEY_B64: WRAPPING_KEY,
      SERVICE_INTEGRATIONS_SECRET_KEY: PROVIDER_KEY,
    },
  });
  owner = await signUp(stack.url, 'Ada');
  const { body } = await owner.post('/api/organizations', { name: 'Terminal People' });
  organization = body.organization;
  defaultId = body.workspaces.default.id;
});
afterAll(async () => {
  await stack?.stop();
  await rm(home, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  HOME: home,
  SERVICE_URL: stack.url,
  ...more,
});
const run = (args: string[], { environment: more, input = '' }: RunOptions = {}): Promise<Ran> =>
  runHere(args, { environment: environment(more), input });
const runBuilt = (args: string[], { environment: more, ...options }: RunOptions = {}): Promise<Ran> =>
  servicectl(args, { environment: environment(more), ...options });
async function runJson(args: string[], options: RunOptions = {}, by = run): Promise<Body> {
  const { code, stdout, stderr } = await by([...args, '--json'], options);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

/** What the person does in the browser. */
async function approveLogin(running: Running): Promise<void> {
  const [, code = ''] = await running.said(/user_code=([A-Z0-9-]+)/);
  expect((await owner.get(`/api/auth/device?user_code=${code}`)).body).toMatchObject({ status: 'pending' });
  expect((await owner.post(`/api/auth/device/approve`, { userCode: code })).status).toBe(200);
}

describe('signing in', () => {
  it('by a code approved in the browser keeps a session and a named token, for the owner’s eyes only', async () => {
    const login = startServicectl(['login', '--no-browser', '--json'], { environment: environment() });
    await approveLogin(login);
    const { code, stdout } = await login.ended;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        url: stack.url,
        organization: { id: organization.id, slug: organization.slug, name: 'Terminal People' },
        scopes: expect.arrayContaining(['chat', 'connect:write', 'receipts:read']),
        expiresAt: expect.any(String),
      },
    ]);
    const file = join(home, '.config', 'servicectl', 'credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { tokens } = (await owner.get(`/api/tokens?organization=${organization.id}`)).body;
    expect(tokens).toEqual([expect.objectContaining({ name: expect.stringMatching(/^servicectl on /) })]);
  });

  it('with a token, for machines, from standard input and from the environment', async () => {
    const token = await owner.token(organization.id, ['chat']);
    const machine = await mkdtemp(join(tmpdir(), 'servicectl-machine-'));
    expect(await run(['login', '--token', '-'], { input: `${token}\n`, environment: { HOME: machine } })).toMatchObject(
      { code: 0 },
    );
    expect(await runJson(['whoami'], { environment: { HOME: machine } })).toMatchObject({
      source: 'login',
      user: { id: owner.id },
      scopes: ['chat'],
      session: false,
    });
    await rm(machine, { recursive: true, force: true });
    expect(await runJson(['whoami'], { environment: { SERVICE_TOKEN: token } })).toMatchObject({
      source: 'SERVICE_TOKEN',
      user: { name: 'Ada', email: owner.email },
      organization: { id: organization.id, name: 'Terminal People' },
    });
  });
});

describe('models and chat', () => {
  it('lists models with their prices, for a person and for a token', async () => {
    const { models } = await runJson(['models']);
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'service/auto', providers: ['openai', 'anthropic'], allowed: true }),
    );
    const token = await owner.token(organization.id, ['chat']);
    const asToken = (await run(['models'], { environment: { SERVICE_TOKEN: token } })).stdout;
    expect(asToken).toMatch(/^service\/auto\t[^\n]+\topenai,anthropic\t[\d.]+\/[\d.]+/m);
    const autoLine = /^service\/auto\t.*$/m;
    expect(autoLine.exec(asToken)?.[0]).toBe(autoLine.exec((await run(['models'])).stdout)?.[0]);
  });

  it('answers one question, whole, in pieces, and as JSON', async () => {
    const { code, stdout, stderr } = await run(['chat', 'Hello there']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
    expect(await runJson(['chat', 'Hello there'])).toMatchObject({
      object: 'chat.completion',
      credential: 'platform',
      choices: [{ message: { content: expect.any(String) } }],
    });
    const chunks = (await run(['chat', 'Hello there', '--stream', '--json'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk' });
  });

  it('takes the question from a pipe, and does not wait for one that never ends when it was given', async () => {
    for (const args of [
      ['chat', '--system', 'Be brief'],
      ['chat', 'What is in', 'this text?', '-'],
    ])
      expect(await run(args, { input: 'A hedgehog.\n' })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/\S/),
      });
    const asking = startServicectl(['chat', 'Hello there'], { environment: environment() });
    expect(await asking.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
  });
});

describe('a Models account', () => {
  it('is saved for the organization or a workspace, shown without its key, and removed', async () => {
    const save = (...more: string[]): string[] => [
      'models-account',
      'save',
      'https://models.example.com/v1',
      '--models',
      'llama*',
      'qwen3',
      ...more,
    ];
    const saved = await run([...save('--takes-effort'), '--key-file', '-'], { input: 'acct-secret\n' });
    expect([saved.code, saved.stdout]).toEqual([
      0,
      expect.stringContaining('https://models.example.com/v1\tllama*,qwen3\tchat\tbearer\tsent\t'),
    ]);
    expect(saved.stdout + saved.stderr).not.toContain('acct-secret');
    expect(await runJson(['models-account', '--workspace', 'default'])).toEqual({ accounts: [] });
    expect(await runJson(save('--workspace', 'default'), { input: 'acct-other\n' })).toMatchObject({
      accounts: [{ takesEffort: false }],
    });
    expect((await run(['models'])).stdout).toMatch(/^qwen3\t/m);
    expect(await run(['models-account', 'remove', '--workspace', 'default'])).toMatchObject({
      code: 0,
      stderr: 'Removed the Models account.\n',
    });
    expect(await runJson(['models-account'])).toMatchObject({ accounts: [{}] });
    expect(await runJson(['models-account', 'remove'])).toEqual({ accounts: [] });
  });
});

describe('provider keys', () => {
  it('are saved from standard input, listed by fingerprint, moved to another wrapping key, removed', async () => {
    const key = 'sk-demo-of-the-flow';
    expect(await run(['keys', 'save', 'openai'], { input: `${key}\n` })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Provider key saved successfully\.\nUsed by background runs, /),
    });
    expect(await run(['keys', 'save', 'openai'], { input: `${key}\n` })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→ Run: servicectl keys remove'),
    });
    const { providers } = await runJson(['keys']);
    expect(providers).toContainEqual(
      expect.objectContaining({
        provider: 'openai',
        configured: true,
        fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      }),
    );

    const other = randomBytes(32).toString('base64');
    const database = { SERVICE_UPSTREAM_DB: stack.databaseUrl, SERVICE_DB_SCHEMA: stack.schema };
    const there = await runJson(
      ['keys', 'rewrap', '--from-env'],
      { environment: { ...database, BYOK_ENCRYPTION_KEY_B64_OLD: WRAPPING_KEY, BYOK_ENCRYPTION_KEY_B64: other } },
      runBuilt,
    );
    expect(there.providerKeys).toEqual({ moved: 1, kept: 0, lost: 0 });
    expect((await runJson(['keys'])).providers).toContainEqual(
      expect.objectContaining({ provider: 'openai', undecryptable: true }),
    );
    const back = await runBuilt(['keys', 'rewrap', '--from-env', 'PREVIOUS'], {
      environment: { ...database, PREVIOUS: other, BYOK_ENCRYPTION_KEY_B64: WRAPPING_KEY },
    });
    expect([back.code, back.stdout]).toEqual([0, 'providerKeys\t1\t0\t0\nmodelsAccounts\t0\t0\t0\n']);
    expect(await run(['keys', 'remove', 'openai'])).toMatchObject({
      code: 0,
      stderr: 'Provider key removed successfully.\n',
    });
  });

  it('say which requests use them, when none does, and the command that changes it; an answer says who paid', async () => {
    const paidBy = async (): Promise<unknown> => (await runJson(['chat', 'Hello there'])).credential;
    const input = 'sk-demo-of-the-flow\n';
    const unused = await run(['keys', 'save', 'openai', '--workspace', 'default'], { input });
    expect(unused).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /No request uses this key now: the organization has no key for this provider,.*\n {2}→ Save a key for the organization too: servicectl keys save openai --workspace global\n$/,
      ),
    });
    expect((await run(['keys', '--workspace', 'default'])).stdout).toMatch(
      /^openai\tconfigured\t\S+\t\S+\tno request: the organization has no key for this provider, /m,
    );
    expect(await paidBy()).toBe('platform');

    const { use } = await runJson(['keys', 'save', 'openai', '--workspace', 'global'], { input });
    expect(use).toEqual({ by: ['runs', 'attachments', 'titles', 'global_requests'] });
    expect((await runJson(['keys', '--workspace', 'default'])).providers).toContainEqual(
      expect.objectContaining({ provider: 'openai', use: { by: ['workspace_chat', 'funded_runs'] } }),
    );
    expect(await paidBy()).toBe('own-key');

    expect(await run(['keys', 'remove', 'openai', '--workspace', 'default'])).toMatchObject({ code: 0 });
    expect(await paidBy()).toBe('platform');
    expect(await run(['keys', 'inherit'])).toMatchObject({ code: 0, stdout: 'off\n' });
    expect(await run(['keys', 'inherit', 'perhaps'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('takes on or off'),
    });
    expect(await run(['keys', 'inherit', 'on'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: "Workspaces without their own key now use the organization's keys.\n",
    });
    expect((await run(['keys'])).stdout).toMatch(
      /^openai\tconfigured\t\S+\t\S+\tchat in every workspace without a key of its own, background runs, /m,
    );
    expect(await paidBy()).toBe('own-key');

    expect(await run(['keys', 'remove', 'openai'])).toMatchObject({ code: 0 });
    expect((await run(['keys', 'inherit', 'on'])).stderr).toMatch(
      /→ The organization has no key yet\. Save one with: servicectl keys save openai\n$/,
    );
    expect(await runJson(['keys', 'inherit', 'off'])).toEqual({
      inheritOrganizationKeys: false,
      providerKeySummary: { openai: false, anthropic: false },
    });
  });
});

describe('connected apps', () => {
  it('connect prints the link and waits until the app is connected', async () => {
    const connect = startServicectl(['connect', 'github', '--json'], { environment: environment() });
    const [link] = await connect.said(/http\S+session_token\S+/);
    await submit(await submit(await visit(link)), { decision: 'allow' });
    const { code, stdout } = await connect.ended;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { connection: expect.objectContaining({ provider: 'github', name: 'default', status: 'valid' }) },
    ]);
  });

  it('connect does not wait for ever', async () => {
    expect(await run(['connect', 'slack', '--timeout', '1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not connected in time'),
    });
    expect((await run(['connect', 'slack', '--timeout', '0'])).stdout).toMatch(/^http\S+\n$/);
  });

  it('lists connections, capabilities and tools', async () => {
    expect((await run(['connections'])).stdout).toMatch(/^github\tvalid\tintegration-reference\t/);
    expect(await runJson(['capabilities'])).toMatchObject({
      status: 'online',
      capabilities: { github: { provider: 'github' } },
    });
    const { tools } = await runJson(['tools', 'github']);
    expect(tools).toContainEqual(
      expect.objectContaining({
        connection: 'github',
        name: 'get-repository',
        access: 'read',
        inputSchema: expect.any(Object),
      }),
    );
    expect((await run(['tools'])).stdout).toContain('github\tget-repository\tread\towner repo\t');
  });

  it('a call answers with the app’s data and a receipt', async () => {
    const answer = await runJson(['call', 'github', 'list-repositories', '--arg', 'per_page=2']);
    expect(answer).toMatchObject({ ok: true, status: 200, receipt: { stream: `connect/${defaultId}`, index: 1 } });
    const { code, stdout, stderr } = await run(['call', 'github', 'list-repositories', '--json={}']);
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, expect.objectContaining({ ok: true }), '']);
    const plain = await run(['call', 'github', 'list-repositories']);
    expect([JSON.parse(plain.stdout), plain.stderr]).toEqual([
      answer.data.constructor === Array ? expect.any(Array) : expect.any(Object),
      expect.stringContaining(`receipt 5 of connect/${defaultId}`),
    ]);
  });

  it('shows the tools that an app’s own MCP server offers, and says what to do about one that it does not', async () => {
    const connect = startServicectl(['connect', 'linear-mcp', '--json'], { environment: environment() });
    const [link] = await connect.said(/http\S+session_token\S+/);
    await submit(await submit(await visit(link)), { decision: 'allow' });
    expect((await connect.ended).code).toBe(0);
    const { tools } = await runJson(['tools', 'linear-mcp']);
    expect(tools).toContainEqual(
      expect.objectContaining({
        connection: 'linear-mcp',
        name: expect.any(String),
        access: 'read',
        inputSchema: expect.any(Object),
      }),
    );
    expect((await run(['tools'])).stdout).toContain(`linear-mcp\t${tools[0].name}\t`);
    expect(await run(['call', 'linear-mcp', 'no_such_tool'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^servicectl: integration action not found or disabled[^\n]*\n {2}→ Run: servicectl tools linear-mcp/,
      ),
    });
  });

  it('imports a profile by its name and a code-host token from a pipe', async () => {
    expect(await runJson(['import', 'aws', '--profile', 'staging', '--name', 'Staging'])).toMatchObject({
      connection: { provider: 'aws', name: 'staging', kind: 'local-cloud-profile' },
    });
    const bundle = JSON.stringify({ Version: 1, AccessKeyId: 'AKIADEMO', SecretAccessKey: 'a demo secret' });
    expect(await runJson(['import', 'aws', '--bundle', '-', '--name', 'keys'], { input: bundle })).toMatchObject({
      connection: { kind: 'cloud-credential-process' },
    });
    expect(await runJson(['import', 'code-host', 'github', '--name', 'ci'], { input: 'ghp_demo\n' })).toMatchObject({
      connection: { provider: 'github', name: 'ci', kind: 'code-host-token' },
    });
  });

  it('serves an MCP client over standard input and output', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [SERVICECTL, 'mcp'],
        env: environment(),
        stderr: 'ignore',
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('github__list-repositories');
    expect(await client.callTool({ name: 'github__list-repositories', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('"ok":true') }],
    });
    expect(await client.callTool({ name: 'github__nothing', arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  });
});

describe('receipts', () => {
  const stream = (): string => `connect/${defaultId}`;

  it('are listed, shown, and followed as they are written', async () => {
    expect((await run(['receipts'])).stdout).toMatch(new RegExp(`^${stream()}\\t6\\t5:[0-9a-f]{64}\\n$`));
    const { receipts } = await runJson(['receipts', stream(), '--from', '1', '--limit', '2']);
    expect(receipts.map(({ index, kind }: Body) => [index, kind])).toEqual([
      [1, 'tool.observed'],
      [2, 'tool.called'],
    ]);
    const follow = startServicectl(['receipts', stream(), '--follow', '--from', '5'], { environment: environment() });
    await follow.said(/^5\t/m);
    await runJson(['call', 'github', 'list-repositories']);
    await follow.said(/^7\t\S+\ttool\.observed\tuser:/m);
    follow.child.kill('SIGINT');
    await follow.ended;
  });

  it('verify on the service and, exported, without it', async () => {
    expect(await runJson(['verify'])).toMatchObject({ ok: true, streams: [{ stream: stream(), ok: true, count: 8 }] });
    const { head } = await runJson(['verify', stream()]);
    const file = join(home, 'audit.jsonl');
    expect(await run(['receipts', stream(), '--export', file])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('servicectl verify'),
    });
    expect(await runJson(['verify', stream(), '--head', `${head.index}:${head.hash}`])).toMatchObject({
      ok: true,
      count: 8,
    });
    // No service, no sign-in.
    const alone = { environment: { HOME: join(home, 'nobody') } };
    expect(
      JSON.parse((await servicectl(['verify', file, '--head', `${head.index}:${head.hash}`, '--json'], alone)).stdout),
    ).toEqual({ stream: stream(), ok: true, count: 8, head });
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const tampered = lines.map((line, i) => (i === 4 ? line.replace('list-repositories', 'list-nothing-else') : line));
    expect(tampered).not.toEqual(lines);
    await writeFile(file, tampered.join('\n'));
    const refused = await servicectl(['verify', file], alone);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('hash_mismatch at index 3'),
      stderr: expect.stringContaining('hash_mismatch at index 3'),
    });
  });

  it('a stream that was tampered with in the database does not verify', async () => {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    const table = `${pg.escapeIdentifier(stack.schema)}.receipt`;
    const swap = (from: string, to: string) =>
      client
        .query(`alter table ${table} disable trigger user`)
        .then(() => client.query(`update ${table} set body = replace(body, $1, $2) where idx = 2`, [from, to]));
    await swap('tool.called', 'tool.cancel');
    expect(await run(['verify', stream()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hash_mismatch at index 2'),
    });
    await swap('tool.cancel', 'tool.called');
    await client.end();
    expect(await run(['verify', stream()])).toMatchObject({ code: 0 });
  });
});

describe('operators', () => {
  it('put an organization on another plan with the debug token', async () => {
    expect(
      await run(['admin', 'plan', organization.slug, 'team'], { environment: { SERVICE_DEBUG_TOKEN: DEBUG_TOKEN } }),
    ).toMatchObject({ code: 0, stderr: expect.stringContaining('is now on the team plan') });
    expect(await run(['admin', 'plan', organization.slug, 'gold', '--debug-token', DEBUG_TOKEN])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('free, team, business'),
    });
    expect(await run(['admin', 'plan', organization.slug, 'team', '--debug-token', 'wrong'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not accept this debug token'),
    });
  });

  it('make an organization for an account, or hand over a link that makes its owner', async () => {
    const environment = { SERVICE_DEBUG_TOKEN: DEBUG_TOKEN };
    const given = await runJson(
      ['admin', 'organization', 'Made For Them', '--owner', 'nobody.yet@example.test', '--plan', 'team'],
      { environment },
    );
    expect(given).toMatchObject({
      organization: { slug: 'made-for-them', plan: 'team' },
      invitation: { email: 'nobody.yet@example.test', url: expect.stringMatching(/^http.*\/invitations\/inv_/) },
    });
    expect(
      await run(['admin', 'organization', 'Second', '--owner', 'nobody.yet@example.test'], { environment }),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http\S+\/invitations\/inv_\w+\n$/),
      stderr: expect.stringContaining('has no account yet'),
    });
    expect(await run(['admin', 'organization', 'Third', '--owner', 'no address'], { environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ownerEmail'),
    });
    expect(
      await run(['admin', 'organization', 'Fourth', '--owner', 'a@example.test', '--debug-token', 'wrong']),
    ).toMatchObject({ code: 3 });
  });

  it('print the environment without a value of it', async () => {
    const { variables } = await runJson(['env'], { environment: { AUTH_SECRET: 'hush-hush' } }, runBuilt);
    expect(variables).toContainEqual(expect.objectContaining({ name: 'AUTH_SECRET', secret: true, set: true }));
    expect(JSON.stringify(variables)).not.toContain('hush-hush');
  });

  it('make a secrets bundle and check it', async () => {
    const made = await runBuilt(['bundle', 'init'], { cwd: home });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('SERVICE_INTEGRATIONS_SECRET_KEY') });
    expect((await stat(join(home, 'secrets.env'))).mode & 0o777).toBe(0o600);
    expect(await runBuilt(['bundle', 'check'], { cwd: home })).toMatchObject({ code: 0, stdout: '' });
  });

  it('reconcile integrations at the provider', async () => {
    const provider = {
      SERVICE_INTEGRATIONS_URL: `${stack.url}/integrations`,
      SERVICE_INTEGRATIONS_SECRET_KEY: PROVIDER_KEY,
      SERVICE_PUBLIC_URL: 'https://service.example.test',
    };
    const checked = await runJson(['integrations', 'reconcile', '--check'], { environment: provider }, runBuilt);
    expect(checked).toMatchObject({ ok: true, oauthCallbackUrl: 'https://service.example.test/oauth/callback' });
    expect(checked.integrations).toContainEqual(expect.objectContaining({ id: 'github', state: 'registered' }));
    const applied = await runBuilt(['integrations', 'reconcile', '--apply'], {
      environment: {
        ...provider,
        NANGO_SERVER_URL: 'https://provider.example.test',
        SERVICE_OAUTH_GITHUB_CLIENT_ID: 'id',
        SERVICE_OAUTH_GITHUB_CLIENT_SECRET: 'the client secret',
      },
    });
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('oauthCallbackUrl: https://provider.example.test/oauth/callback\n'),
    });
    expect(applied.stdout).toContain('github\tupdated');
    expect(applied.stdout + applied.stderr).not.toContain('the client secret');
  });
});

describe('errors say what is wrong and what to do', () => {
  it('a host where nothing listens, a host that is something else, a redirect', async () => {
    const stranger = createServer(
      (request, response) =>
        void (request.url?.startsWith('/moved')
          ? response.writeHead(301, { location: 'https://elsewhere.test/' }).end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')),
    );
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    const ask = (url: string): Promise<Ran> =>
      run(['whoami', '--url', url], { environment: { SERVICE_TOKEN: 'a.b.c' } });
    expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('but is not this service'),
    });
    expect(await ask(`http://127.0.0.1:${port}/moved`)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('redirects to https://elsewhere.test/'),
    });
    await new Promise((resolve) => stranger.close(resolve));
    expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/connection refused[\s\S]*→ Check the address/),
    });
  });

  it.each<[args: string[], code: number, said: RegExp, input?: string]>([
    [['connect', 'nothing-at-all'], 1, /connector_not_found/],
    [['call', 'github', 'get-repository', '--arg', 'owner=acme'], 2, /arguments\.repo: is required/],
    [['import', 'code-host', 'slack'], 1, /code-host-token is for a code host/, 'x'],
    [['job', 'job_nothing'], 1, /→ Check the name or ID\. To see what exists, run: servicectl jobs/],
  ])('%j', async (args, code, said, input) => {
    expect(await run(args, input === undefined ? {} : { input })).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(said),
    });
  });

  it('a token that is not accepted, and one that may not do this', async () => {
    expect(await run(['models'], { environment: { SERVICE_TOKEN: 'a.b.c' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('→ Run: servicectl login'),
    });
    const token = await owner.token(organization.id, ['chat']);
    expect(await run(['receipts'], { environment: { SERVICE_TOKEN: token } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/insufficient_scope[\s\S]*→ Use a token with this scope/),
    });
  });
});

describe('on a terminal', needs('terminal'), () => {
  const onTerminal = (args: string[], more: Record<string, string> = {}): Running =>
    startOnTerminal(args, { environment: environment(more) });

  it('tables are aligned under a head, in colour unless that is unwanted', async () => {
    const { stdout } = await onTerminal(['models']).ended;
    expect(stdout).toContain('\u001B[2mMODEL  ');
    expect(stdout).not.toContain('\t');
    expect((await onTerminal(['models'], { NO_COLOR: '1' }).ended).stdout).not.toContain('\u001B');
  });

  it('an answer says who gave it and what paid', async () => {
    expect(await onTerminal(['chat', 'Hello there']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\(answered by openai\/gpt-6-sol, paid with platform credit\)\s*$/),
    });
  });

  it('a conversation is held until /exit', async () => {
    const chat = onTerminal(['chat']);
    await chat.said(/you > /);
    chat.child.stdin.write('/help\r');
    await chat.shown(/\/retry +ask the last question again[^]*you > $/);
    chat.child.stdin.write('Hello there\r');
    await chat.shown(/Hello there[^]*you > $/);
    // Another answer to the same question, in place of the one before.
    chat.child.stdin.write('/retry\r');
    await chat.said(/(?:I understood[\s\S]*Hello there[\s\S]*you > [\s\S]*){2}/);
    chat.child.stdin.write('/exit\r');
    expect(await chat.ended).toMatchObject({ code: 0 });
  });

  it('a saved prompt is called by its name in a conversation, and its variables are asked for', async () => {
    const saves = { brief: 'Be brief.', greet: 'Greet {{person}} in {{language:German}}.' };
    for (const [name, text] of Object.entries(saves))
      expect(await run(['prompts', 'create', name, text])).toMatchObject({ code: 0 });
    const chat = onTerminal(['chat']);
    await chat.shown(/you > $/);
    chat.child.stdin.write('/greet And wave.\r');
    await chat.shown(/person: $/);
    chat.child.stdin.write('Ada\r');
    await chat.shown(/language \[German\]: $/);
    chat.child.stdin.write('\r');
    await chat.shown(/Greet Ada in German\.\s+And wave\.[^]*you > $/);

    // A name that no prompt has is not sent as a question.
    chat.child.stdin.write('/nothing\r');
    await chat.shown(/there is no prompt named nothing\s+→ Run: servicectl prompts\s+you > $/);

    // Twice the same prompt is two questions, the first with its answer before the second.
    chat.child.stdin.write('/brief\r');
    await chat.shown(/\/brief\s[^]*Be brief\.[^]*you > $/);
    chat.child.stdin.write('/brief\r');
    await chat.shown(/(?:\/brief\s[^]*Be brief\.[^]*you > ){2}$/);
    const [second, first] = await poll(async () => {
      const { requests } = (await owner.get(`/api/organizations/${organization.id}/requests?limit=2`)).body;
      return requests.every(({ inputTokens }: Body) => inputTokens > 0) && requests;
    });
    expect(second.inputTokens).toBeGreaterThan(first.inputTokens);

    // Ctrl-C gives a prompt up that is being filled in; the conversation goes on.
    chat.child.stdin.write('/greet\r');
    await chat.shown(/\/greet\s+person: $/);
    chat.child.stdin.write('\u0003');
    await chat.shown(/\/greet\s+person: \s+you > $/);
    chat.child.stdin.write('/greet\r');
    await chat.shown(/\/greet\s+person: \s+you > \/greet\s+person: $/);
    // Ctrl-D ends it from there too.
    chat.child.stdin.write('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0 });
    for (const name of Object.keys(saves)) await run(['prompts', 'delete', name, '--yes']);
  });

  it('a key that is typed is not shown', async () => {
    const save = onTerminal(['keys', 'save', 'openai', '--workspace', 'default']);
    await save.said(/\(hidden\)/);
    save.child.stdin.write('sk-demo-typed\r');
    const { code, stdout } = await save.ended;
    expect([code, stdout.includes('Provider key saved successfully.'), stdout.includes('sk-demo-typed')]).toEqual([
      0,
      true,
      false,
    ]);
    expect(await run(['keys', 'remove', 'openai', '--workspace', 'default'])).toMatchObject({ code: 0 });
  });
});

describe('what belongs to a person', () => {
  it('organizations and workspaces are listed and switched between', async () => {
    const second = (await owner.post('/api/organizations', { name: 'Second Inc.' })).body.organization;
    const research = (await owner.post(`/api/organizations/${organization.id}/workspaces`, { name: 'Research' })).body
      .workspace;
    expect((await run(['organizations'])).stdout).toMatch(
      new RegExp(
        `^\\*\\t${organization.slug}\\tTerminal People\\t\\w+\\towner\\t${organization.id}\\n\\t${second.slug}\\tSecond Inc\\.\\tfree\\towner\\t${second.id}\\n$`,
      ),
    );
    expect((await runJson(['workspaces'])).workspaces).toEqual([
      expect.objectContaining({ slug: 'default', inUse: false }),
      expect.objectContaining({ slug: research.slug, inUse: false }),
    ]);

    expect(await run(['workspaces', 'use', research.slug])).toMatchObject({
      code: 0,
      stderr: 'Commands now use Research unless you name another workspace.\n',
    });
    expect((await runJson(['connections'])).connections).toEqual([]);
    expect((await runJson(['connections', '--workspace', 'default'])).connections).not.toEqual([]);
    expect(await run(['workspaces', 'use'])).toMatchObject({ code: 0 });

    expect(await run(['organizations', 'use', second.slug])).toMatchObject({
      code: 0,
      stderr: 'Switched to Second Inc.\n',
    });
    expect(await runJson(['whoami'])).toMatchObject({ organization: { slug: second.slug } });
    const { tokens } = (await owner.get(`/api/tokens?organization=${organization.id}`)).body;
    // The sign-in to the first organization is kept, and can be used beside the new one.
    expect(
      tokens.filter(({ name, revokedAt }: Body) => name.startsWith('servicectl on') && revokedAt === undefined),
    ).toHaveLength(1);
    expect(await runJson(['whoami', '--as', organization.slug])).toMatchObject({
      organization: { id: organization.id },
    });
    expect((await runJson(['auth'])).signIns).toMatchObject([
      { organization: { slug: second.slug }, inUse: true },
      { organization: { slug: organization.slug }, inUse: false },
    ]);
    expect(await run(['auth', 'switch', organization.slug])).toMatchObject({ code: 0 });
    expect(await run(['logout', second.slug])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Signed out'),
    });
    expect(await runJson(['whoami'])).toMatchObject({ organization: { id: organization.id } });
  });

  it('tokens are listed, made and revoked', async () => {
    const { token, id } = await runJson(['tokens', 'create', 'build-machine', '--scope', 'chat', '--days', '3']);
    expect(await runJson(['whoami'], { environment: { SERVICE_TOKEN: token } })).toMatchObject({ scopes: ['chat'] });
    expect((await run(['tokens', '--jq', '.tokens[] | select(.name == "build-machine") | .id, .scopes'])).stdout).toBe(
      `${id}\n["chat"]\n`,
    );
    expect(await run(['tokens', 'revoke', 'build-machine'])).toMatchObject({
      code: 0,
      stderr: `Revoked build-machine (${id}).\n`,
    });
    expect(await run(['whoami'], { environment: { SERVICE_TOKEN: token } })).toMatchObject({ code: 3 });
  });

  it('people, policies and requests are managed', async () => {
    const { email } = await signUp(stack.url, 'Grace');
    expect(await run(['members', 'add', email])).toMatchObject({ code: 0 });
    expect(await run(['workspaces', 'members', 'add', 'research', email])).toMatchObject({
      code: 0,
      stderr: `${email} is now a member of Research.\n`,
    });
    expect(await run(['members', 'role', email, 'admin'])).toMatchObject({ code: 0 });
    expect(await run(['members', 'remove', email, '--yes'])).toMatchObject({ code: 0 });
    expect((await runJson(['members'])).members).toHaveLength(1);

    expect(await run(['policy', 'set', 'disabled-models', 'openai/gpt-6-sol'])).toMatchObject({ code: 0 });
    expect(await run(['chat', 'Hello', '--model', 'openai/gpt-6-sol'])).toMatchObject({ code: 1 });
    expect(await run(['policy', 'set', 'disabled-models', 'openai/gpt-6-sol', '--remove'])).toMatchObject({ code: 0 });
    const { requests } = await runJson(['requests', '--member', owner.email, '--surface', '/v1', '--limit', '3']);
    expect(requests).toHaveLength(3);
    expect((await run(['requests', '--id', requests[0].id])).stdout).toMatch(
      new RegExp(`\\t${owner.email}\\t[^\\n]*\\t${requests[0].id}\\n`),
    );
  });

  it('usage adds the days of a model up', async () => {
    expect(await runJson(['usage'])).toMatchObject({
      seats: { used: 1 },
      days: expect.arrayContaining([expect.objectContaining({ model: 'service/auto', requests: expect.any(Number) })]),
    });
    expect((await run(['usage', '--days', '2'])).stdout).toMatch(
      /^service\/auto → openai\/gpt-6-sol\topenai\tplatform\t\d+\t\d+\t\d+\t\$\d/m,
    );
    expect(await run(['usage', '--by', 'model', '--csv'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^key,name,requests,[^\n]*\n(?:[^\n]*\n)*service\/auto,/),
    });
    expect((await run(['usage', '--by', 'model', '--csv'])).stdout).not.toContain('Total');
  });

  it('a connection’s policy is shown and changed; an app is listed and disconnected', async () => {
    expect((await run(['apps', 'github'])).stdout).toMatch(/^github\tGitHub\tcode\t\d+\t(?:\S+ )*github(?: \S+)*\n$/);
    expect((await runJson(['connections', 'policy', 'github'])).actions).toMatchObject({
      'list-repositories': true,
      'create-issue': false,
    });
    expect(
      await runJson([
        'connections',
        'policy',
        'github',
        '--enable',
        'create-issue',
        '--disable',
        'list-repositories',
        '--repository',
        'acme/site',
      ]),
    ).toMatchObject({
      actions: { 'create-issue': true, 'list-repositories': false },
      repositories: { enforce: true, selected: ['acme/site'] },
    });
    expect(await run(['connections', 'policy', 'github', '--any-repository'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^create-issue\tyes$/m),
      stderr: expect.stringContaining('all that the account can access'),
    });
    expect(await run(['disconnect', 'linear-mcp', '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Disconnected linear-mcp.\n',
    });
  });

  it('api sends what no command does, with the sign-in, to this service only', async () => {
    expect((await run(['api', 'GET', '/api/me', '--jq', '.user.email'])).stdout).toBe(`${owner.email}\n`);
    expect(
      JSON.parse((await run(['api', 'get', '/runtime/service/stream', '--field', 'limit=1'])).stdout),
    ).toMatchObject({ streams: [expect.any(Object)] });
    const made = await run(['api', 'POST', `/api/organizations/${organization.id}/workspaces`, '-d', '-'], {
      input: '{"name":"Made by hand"}',
    });
    expect([made.code, JSON.parse(made.stdout)]).toEqual([
      0,
      { workspace: expect.objectContaining({ name: 'Made by hand' }) },
    ]);
    expect(await run(['api', 'DELETE', `/api/workspaces/${JSON.parse(made.stdout).workspace.id}`])).toMatchObject({
      code: 0,
    });
    const refused = await run(['api', 'GET', '/runtime/jobs/job_nothing']);
    expect([refused.code, JSON.parse(refused.stdout), refused.stderr]).toEqual([
      1,
      expect.objectContaining({ ok: false, error: 'not_found' }),
      expect.stringContaining('not_found'),
    ]);
  });

  it('the shell completes values that the service knows', needs('bash'), async () => {
    const script = (await run(['completion', 'bash'])).stdout;
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `${script}\nservicectl() { '${process.execPath}' '${SERVICECTL}' "$@"; }\nCOMP_WORDS=(servicectl "$@"); COMP_CWORD=$#; _servicectl; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], ...environment() } },
      )
        .trim()
        .split('\n');
    expect(complete('connections', '--workspace', '')).toEqual(['default', 'research']);
    expect(complete('call', 'github', 'list-r')).toEqual(['list-repositories']);
    expect(complete('chat', '--model', 'service/au')).toEqual(['service/auto']);
  });
});

it('the guide to the terminal is true, command by command', needs('bash'), async () => {
  const programs = await mkdtemp(join(home, 'bin-'));
  await writeFile(join(programs, 'servicectl'), `#!/bin/sh\nexec '${process.execPath}' '${SERVICECTL}' "$@"\n`, {
    mode: 0o755,
  });
  const lines = readFences(USER_GUIDES)
    .filter(({ page, language }) => page === 'terminal' && language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    // What needs a shell runs in one.
    const { code, stderr } = /[|>]\s/.test(line)
      ? await runBlock(
          { page: 'terminal', name: line, script: line, exit: 0, on: undefined },
          { cwd: home, environment: environment({ PATH: `${programs}:/usr/bin:/bin` }) },
        )
      : await run(splitWords(line).slice(1));
    expect([line, code, code === 0 ? '' : stderr]).toEqual([line, 0, '']);
  }
});

/** As a shell does, for words and quotes without anything else in them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

describe('installed as a package', () => {
  let bin: string;
  const installed = (args: string[], input = ''): Promise<Ran> =>
    runProgram(join(bin, 'servicectl'), args, {
      input,
      environment: {
        HOME: join(home, 'installed'),
        PATH: `${dirname(findOlderNode() ?? process.execPath)}:/usr/bin:/bin`,
        SERVICE_URL: stack.url,
      },
    });

  beforeAll(async () => {
    const npm = (args: string[], cwd: string): string =>
      execFileSync('npm', args, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env['PATH'], HOME: home },
      });
    const [packed, prefix] = [await mkdtemp(join(home, 'packed-')), await mkdtemp(join(home, 'prefix-'))];
    npm(['pack', '--pack-destination', packed], join(dirname(SERVICECTL), 'servicectl-package'));
    const [file = ''] = await readdir(packed);
    // Offline: it has no dependencies.
    npm(['install', '--global', '--offline', '--prefix', prefix, join(packed, file)], packed);
    bin = join(prefix, 'bin');
  });

  it('brings nothing along', async () => {
    const everything = await readdir(join(bin, '..', 'lib', 'node_modules'), { recursive: true });
    expect(everything).toContain(join('agent-platform-servicectl', 'LICENSE'));
    expect(
      await readFile(
        join(bin, '..', 'lib', 'node_modules', 'agent-platform-servicectl', 'THIRD-PARTY-LICENSES'),
        'utf8',
      ),
    ).toMatch(/^commander \d[\s\S]*^zod \d/m);
    expect(everything.filter((path) => /react|node_modules|\.map$/.test(path))).toEqual([]);
  });

  it('signs in with a token, chats, and says where operators’ commands run', async () => {
    const { version, build } = JSON.parse(await readFile(join(dirname(SERVICECTL), 'build.json'), 'utf8'));
    expect(await installed(['--version'])).toMatchObject({
      code: 0,
      stdout: `${version} (build ${build})\n`,
      stderr: '',
    });
    expect(
      await installed(
        ['login', '--token', '-'],
        await owner.token(organization.id, ['chat', 'jobs:read', 'jobs:write', 'receipts:read']),
      ),
    ).toMatchObject({ code: 0 });
    expect(await installed(['chat', 'Hello there'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
    expect(await installed(['models', '--jq', '.models[0].id'])).toMatchObject({ code: 0, stdout: 'service/auto\n' });
    expect(await installed(['doctor'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/needs the server code[^\n]*\n {2}→ Run it on the server/),
    });
  });

  it('follows a run', leaveOut(sandboxSkipReason), async () => {
    expect(await installed(['run', 'Say hello'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
  });
});

it('signing out revokes the token and forgets it', async () => {
  const { accounts } = JSON.parse(await readFile(join(home, '.config', 'servicectl', 'credentials.json'), 'utf8')) as {
    accounts: { token: string }[];
  };
  const token = accounts[0]?.token ?? '';
  expect(await runJson(['logout'])).toMatchObject({ url: stack.url, signedOut: true, endedAtService: true });
  expect(await run(['whoami'])).toMatchObject({ code: 3 });
  expect(await run(['whoami'], { environment: { SERVICE_TOKEN: token } })).toMatchObject({ code: 3 });
});
