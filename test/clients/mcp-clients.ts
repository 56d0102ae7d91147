// The lines of the page of MCP clients, run as they stand with a token in its place. Each client has to find the tools
// of the workspace, of which there are three that search.
import { createServer, request as httpRequest } from 'node:http';
import { mkdir, symlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ClientId,
  CLIENTS,
  mcpAddress,
  snippetsFor,
  TOKEN,
} from '../../web/features/mcp-gateway/clients/client-configs.ts';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { runLines } from './run-lines.ts';
import { type Ended, runProgram } from './run-program.ts';

const TOOL = 'find-tools';
const ONLY = { provider: 'openai', credential: 'platform' } as const;

type Run = (at: Case, texts: readonly string[]) => Promise<string | undefined>;

/** By client: what becomes of its texts. Those that sign in in a browser are in the tests of the browser. */
const RUNS: Readonly<Partial<Record<ClientId, { readonly package?: string; readonly run: Run }>>> = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    async run(at, [line = '']) {
      const { stdout, stderr } = await runProgram('bash', ['-c', `${line}\nclaude mcp list`], at.place).ended;
      return /apps: .*Connected/.test(stdout) ? undefined : `${stdout} ${stderr}`;
    },
  },
  'claude-desktop': { package: 'mcp-remote', run: (at, [text = '']) => speakOverStdio(at, serverOf(text)) },
  servicectl: { run: (at, [text = '']) => speakOverStdio(at, serverOf(text)) },
  cursor: { run: (_, [text = '']) => speakOverHttp(serverOf(text)) },
  generic: { run: (_, [text = '']) => speakOverHttp(serverOf(text)) },
  codex: {
    package: '@openai/codex',
    // Beside the lines for the models: what it offers the model shows what it found.
    async run(at, [config = '']) {
      const project = join(at.place.home, '.codex', 'config.toml');
      const running = await runLines(at, {
        client: 'codex',
        change: (line) => `cat >> ${project} <<'END'\n\n${config}\nEND\n${line}`,
      });
      const ended = await running.ended;
      return at.arrived().some(({ body }) => body.includes(TOOL)) ? undefined : describe(ended);
    },
  },
  inspector: {
    package: '@modelcontextprotocol/inspector',
    async run(at, [line = '']) {
      const ended = await runProgram('bash', ['-c', line], at.place).ended;
      return ended.stdout.includes(TOOL) ? undefined : describe(ended);
    },
  },
};

export const MCP_CLIENTS: readonly ClientUnderTest[] = [
  ...Object.entries(RUNS).map(([client, { package: packageName, run }]): ClientUnderTest => ({
    name: `${CLIENTS[client as ClientId].name}, MCP`,
    package: packageName,
    only: ONLY,
    async run(at) {
      await symlink(join(at.installed.directory, 'node_modules'), join(at.place.project, 'node_modules'));
      const texts = snippetsFor(client as ClientId, {
        origin: at.origin,
        workspace: undefined,
        search: true,
        sign: 'token',
      }).map(({ text }) => text.replaceAll(TOKEN, at.token));
      return outcome('mcp', await run(at, texts));
    },
  })),
  { name: 'MCP conformance suite', package: '@modelcontextprotocol/conformance', only: ONLY, run: runConformance },
];

interface Server {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function serverOf(text: string): Server {
  return (JSON.parse(text) as { mcpServers: { apps: Server } }).mcpServers.apps;
}

async function speakOverStdio(
  { place }: Case,
  { command = '', args = [], env = {} }: Server,
): Promise<string | undefined> {
  // As an editor does: the program is looked for where the person's are.
  const path = [...place.path, process.env['PATH'] ?? ''].join(':');
  return listTools(
    new StdioClientTransport({
      command,
      args: [...args],
      cwd: place.project,
      env: { PATH: path, HOME: place.home, MCP_REMOTE_CONFIG_DIR: join(place.home, '.mcp-auth'), ...env },
      stderr: 'ignore',
    }),
  );
}

async function speakOverHttp({ url = '', headers = {} }: Server): Promise<string | undefined> {
  return listTools(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } }));
}

async function listTools(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<string | undefined> {
  const client = new Client({ name: 'lines-of-the-page', version: '1' });
  await client.connect(transport);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  await client.close();
  return names.includes(TOOL) ? undefined : `found ${names.join(', ')}`;
}

/** The scenarios that need no tools of the suite's own; `npm test` runs all of them, with those tools. */
async function runConformance(at: Case): Promise<readonly Outcome[]> {
  const to = new URL(mcpAddress({ origin: at.origin, workspace: undefined, search: true }));
  // The suite sends no token.
  const front = createServer((request, response) => {
    const onward = httpRequest(
      {
        host: to.hostname,
        port: to.port,
        method: request.method,
        path: `${to.pathname}${to.search}`,
        headers: { ...request.headers, authorization: `Bearer ${at.token}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const program = join(
    at.installed.directory,
    'node_modules',
    '@modelcontextprotocol',
    'conformance',
    'dist',
    'index.js',
  );
  const results = join(at.place.home, 'results');
  await mkdir(dirname(results), { recursive: true });
  const outcomes: Outcome[] = [];
  for (const scenario of ['server-initialize', 'ping', 'tools-list']) {
    const ended = await runProgram(
      process.execPath,
      [
        program,
        'server',
        '--url',
        `http://localhost:${(front.address() as AddressInfo).port}/connect/mcp`,
        '--scenario',
        scenario,
        '--output-dir',
        results,
      ],
      at.place,
    ).ended;
    outcomes.push(...outcome('mcp', ended.code === 0 ? undefined : `${scenario}: ${describe(ended)}`));
  }
  front.close();
  front.closeAllConnections();
  return outcomes;
}

function outcome(step: string, fault: string | undefined): Outcome[] {
  return [{ step, ...(fault === undefined ? {} : { fault }) }];
}

function describe({ code, stdout, stderr }: Ended): string {
  return `ended with ${code}: ${`${stdout}\n${stderr}`.replace(/\s+/g, ' ').trim().slice(-600)}`;
}
