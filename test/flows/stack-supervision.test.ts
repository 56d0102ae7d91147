// The supervisor as it is shipped and the real embedded PostgreSQL over stand-in parts (test/support/stack/stand-in-stack.ts).
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findProcess } from '../../src/process/find-process.ts';
import { freePorts } from '../support/free-port.ts';
import { poll } from '../support/poll.ts';
import { type Installation, installStandInStack, STAND_IN_PARTS } from '../support/stack/stand-in-stack.ts';
import {
  spawnStack,
  type StackProcess,
  type StackSettings,
  startStack,
  stopAbandonedPostgres,
  type TestStack,
} from '../support/stack/stack.ts';

let installation: Installation;
let dataDirectory: string;
let port: number;
const stacks: StackProcess[] = [];

beforeAll(async () => {
  installation = await installStandInStack();
});
afterAll(() => installation?.remove());
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'service-stack-'));
  port = await freePorts(10);
});
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
  await stopAbandonedPostgres(dataDirectory);
  await rm(dataDirectory, { recursive: true, force: true });
});

type Settings = StackSettings & { embedded?: true };
/** On the run's PostgreSQL, which saves making one, unless the test is about the embedded one. */
const complete = ({ embedded, ...settings }: Settings): StackSettings => ({
  program: installation.program,
  dataDirectory,
  port,
  ...settings,
  environment: { ...(embedded ? {} : { SERVICE_UPSTREAM_DB: inject('postgresUrl') }), ...settings.environment },
});
const start = async (settings: Settings = {}): Promise<TestStack> => {
  const stack = await startStack(complete(settings));
  stacks.push(stack);
  return stack;
};
const attempt = async (settings: Settings = {}): Promise<StackProcess> => {
  const stack = await spawnStack(complete(settings));
  stacks.push(stack);
  return stack;
};
const behave = (part: string, how: string): Promise<void> => writeFile(join(dataDirectory, `behave-${part}`), how);
const events = (): Promise<string[]> =>
  readFile(join(dataDirectory, 'events'), 'utf8').then(
    (text) => text.trim().split('\n'),
    () => [],
  );
const environmentOf = async (part: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(join(dataDirectory, `environment-${part}.json`), 'utf8')) as Record<string, string>;
const mode = async (name: string): Promise<number> => (await stat(join(dataDirectory, name))).mode & 0o777;

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function occupy(at: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(at, '127.0.0.1', () => resolve(server));
  });
}

describe('a start', () => {
  it('prints one line when every part answers, and writes down what runs where', async () => {
    const stack = await start({ embedded: true });
    expect(stack.output.stdout).toBe(`ready http://localhost:${port}\n`);
    const state = await stack.state();
    expect(state).toMatchObject({
      url: `http://localhost:${port}`,
      pid: stack.child.pid,
      schema: expect.stringMatching(/^service_data_[0-9a-f]{24}$/),
      parts: {
        postgres: { port: port + 6, restarts: 0 },
        web: { port: port + 1, url: `http://127.0.0.1:${port + 1}`, restarts: 0 },
        'local-integrations': { restarts: 0 },
        gateway: { port, restarts: 0 },
      },
    });
    for (const { pid, startedAt } of Object.values(state.parts)) {
      expect(findProcess(pid)).toBeDefined();
      expect(new Date(startedAt).toISOString()).toBe(startedAt);
    }
    expect(await ask(stack.databaseUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(await Promise.all(['stack.json', '.env', 'logs', 'logs/web.log', 'postgres'].map(mode))).toEqual([
      0o600, 0o600, 0o700, 0o600, 0o700,
    ]);
  });

  it('makes a data directory for its owner alone', async () => {
    const inner = join(dataDirectory, 'inner');
    await start({ dataDirectory: inner });
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
  });

  it('says one line per part, what to do first, and how it stopped', async () => {
    const stack = await start();
    await stack.said(/^ {2}stop /m);
    const lines = stack.output.stderr.trim().split('\n');
    expect(
      lines
        .slice(1, 4)
        .map((line) => line.replace(/ +\d+\.\d s$/, ''))
        .sort(),
    ).toEqual(STAND_IN_PARTS.toSorted());
    expect(lines.slice(4)).toEqual([
      `  open    http://localhost:${port} and sign in; the first time, choose "Create an account"`,
      `  logs    ${join(dataDirectory, 'logs')}`,
      `  stop    with Ctrl-C; your data stays in ${dataDirectory}`,
    ]);
    await stack.stop();
    expect(stack.output.stderr).toMatch(/\nstopping\nstopped +\d+\.\d s\n$/);
  });

  it('is not ready before every part is healthy', async () => {
    await behave('web', 'unhealthy');
    const stack = await attempt();
    await poll(
      async () =>
        (await events()).filter((line) => line === 'asked web').length > 3 &&
        (await events()).includes('start local-integrations'),
    );
    expect(stack.output.stdout).toBe('');
    expect(await events()).not.toContain('start gateway');
    await rm(join(dataDirectory, 'behave-web'));
    await stack.said(/^ready /m);
  });

  it('ends with the line of a part that refuses its configuration', async () => {
    await behave('web', 'misconfigured');
    const stack = await attempt();
    expect(await stack.ended).toEqual({ code: 78, signal: null });
    expect(stack.output.stderr).toContain('web: SERVICE_EXAMPLE takes something else.');
    expect(existsSync(join(dataDirectory, 'stack.json'))).toBe(false);
  });

  it('refuses a bad variable before it starts anything', async () => {
    const stack = await attempt({ environment: { SERVICE_DB_POOL_MAX: 'many' } });
    expect(await stack.ended).toEqual({ code: 78, signal: null });
    expect(stack.output.stderr).toMatch(/^service: SERVICE_DB_POOL_MAX takes a whole number/);
  });

  it('names a port in use, the part that wants it and the way out, and starts nothing', async () => {
    const server = await occupy(port + 1);
    const stack = await attempt({ embedded: true });
    expect(await stack.ended).toEqual({ code: 1, signal: null });
    server.close();
    expect(stack.output.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`port ${port + 1} \\(web\\) is already in use: .*--port`)),
    ]);
    expect(existsSync(join(dataDirectory, 'postgres'))).toBe(false);
  });

  it('lets PostgreSQL take another port when the customary one is in use', async () => {
    const server = await occupy(port + 6);
    const stack = await start({ embedded: true });
    server.close();
    expect(new URL(stack.databaseUrl).port).not.toBe(String(port + 6));
  });

  it('takes a port from its variable', async () => {
    const other = await freePorts(1);
    const stack = await start({ environment: { SERVICE_WEB_PORT: String(other) } });
    expect((await stack.state()).parts.web?.port).toBe(other);
  });

  it('refuses a data directory that another stack runs on', async () => {
    const first = await start();
    const second = await attempt({ port: await freePorts(10) });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output.stderr).toContain(`another stack (pid ${first.child.pid}) already runs on ${dataDirectory}`);
    expect(findProcess(first.child.pid ?? 0)).toBeDefined();
  });

  it('shows its options, and refuses others', async () => {
    const help = await attempt({ args: ['--help'] });
    expect(await help.ended).toEqual({ code: 0, signal: null });
    expect(help.output.stdout).toContain('--data-dir');
    const wrong = await attempt({ args: ['--prot', '1'] });
    expect(await wrong.ended).toEqual({ code: 2, signal: null });
    expect(wrong.output.stderr).toContain("'--prot'");
  });

  it('uses a PostgreSQL that is already there', async () => {
    const stack = await start();
    expect((await stack.state()).parts).not.toHaveProperty('postgres');
    expect(stack.databaseUrl).toBe(inject('postgresUrl'));
    expect(existsSync(join(dataDirectory, 'postgres'))).toBe(false);
    expect(await readFile(join(dataDirectory, '.env'), 'utf8')).not.toMatch(/POSTGRES|postgresql:/);
  });
});

describe('secrets', () => {
  it('are made once and given to the parts that need them, at every start the same', async () => {
    const first = await start({ embedded: true });
    const [web, gateway] = [await environmentOf('web'), await environmentOf('gateway')];
    expect(web).toMatchObject({
      SERVICE_UPSTREAM_DB: first.databaseUrl,
      SERVICE_ALLOW_PRIVATE_URLS: '1',
      SERVICE_DATA_DIR: dataDirectory,
    });
    expect(Buffer.from(web.BYOK_ENCRYPTION_KEY_B64 ?? '', 'base64')).toHaveLength(32);
    expect(web.SERVICE_CONNECT_JWT_SECRET).toBeTruthy();
    for (const name of ['AUTH_SECRET', 'BYOK_ENCRYPTION_KEY_B64', 'SERVICE_UPSTREAM_DB'])
      expect(gateway).not.toHaveProperty(name);
    const kept = await readFile(join(dataDirectory, '.env'), 'utf8');
    await first.stop();
    await start({ embedded: true });
    expect(await readFile(join(dataDirectory, '.env'), 'utf8')).toBe(kept);
    expect(await environmentOf('web')).toMatchObject({
      AUTH_SECRET: web.AUTH_SECRET,
      BYOK_ENCRYPTION_KEY_B64: web.BYOK_ENCRYPTION_KEY_B64,
    });
  });

  it('of the environment win and never reach the disk', async () => {
    await start({
      environment: {
        AUTH_SECRET: 'given-by-the-environment',
        SERVICE_INTEGRATIONS_DATABASE_URL: 'postgresql://u:p@h/d',
      },
    });
    const web = await environmentOf('web');
    expect(web.AUTH_SECRET).toBe('given-by-the-environment');
    for (const name of ['SERVICE_CONNECT_JWT_SECRET', 'SERVICE_INTEGRATIONS_DATABASE_URL'])
      expect(web).not.toHaveProperty(name);
    const kept = await readFile(join(dataDirectory, '.env'), 'utf8');
    expect(kept).not.toMatch(/given-by-the-environment|SERVICE_CONNECT_JWT_SECRET/);
  });

  it('that are damaged or lost stop the start with one line', async () => {
    await (await start({ embedded: true })).stop();
    const path = join(dataDirectory, '.env');
    const kept = await readFile(path, 'utf8');
    await writeFile(path, kept.slice(0, -10));
    const damaged = await attempt({ embedded: true });
    expect(await damaged.ended).toEqual({ code: 1, signal: null });
    expect(damaged.output.stderr).toMatch(/^service: .*\.env is damaged in line \d+: restore it/);
    await rm(path);
    const lost = await attempt({ embedded: true });
    expect(await lost.ended).toEqual({ code: 1, signal: null });
    expect(lost.output.stderr).toMatch(/^service: .*\.env is gone/);
  });
});

describe('a stop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'on %s goes in the reverse order and leaves nothing running',
    async (signal) => {
      const stack = await start({ embedded: true });
      const { parts } = await stack.state();
      stack.child.kill(signal);
      expect(await stack.ended).toEqual({ code: 0, signal: null });
      const [one, other, ...rest] = (await events()).filter((line) => line.startsWith('stop'));
      // These two stop together: one passes on the last words of the other.
      expect(new Set([one, other])).toEqual(new Set(['stop gateway', 'stop web']));
      expect(rest).toEqual(['stop local-integrations']);
      for (const { pid } of Object.values(parts)) expect(findProcess(pid)).toBeUndefined();
      expect(existsSync(join(dataDirectory, 'stack.json'))).toBe(false);
      expect(existsSync(join(dataDirectory, 'stack.lock'))).toBe(false);
      expect(await readFile(join(dataDirectory, 'logs', 'postgres.log'), 'utf8')).toContain(
        'database system is shut down',
      );
    },
  );

  it('while it is still starting leaves nothing running either', async () => {
    await behave('web', 'unhealthy');
    const stack = await attempt();
    await poll(
      async () => existsSync(join(dataDirectory, 'stack.json')) && (await stack.state()).parts.web !== undefined,
    );
    const { parts } = await stack.state();
    stack.child.kill('SIGINT');
    expect(await stack.ended).toEqual({ code: 0, signal: null });
    expect(stack.output.stdout).toBe('');
    for (const { pid } of Object.values(parts)) expect(findProcess(pid)).toBeUndefined();
  });

  it('a second time ends everything at once', async () => {
    await behave('gateway', 'stuck');
    const stack = await start();
    const { parts } = await stack.state();
    stack.child.kill('SIGINT');
    await poll(async () => (await events()).includes('stop gateway'));
    // A signal within half a second counts as the same key press.
    await poll(() => !stack.child.kill('SIGINT') || stack.child.exitCode !== null);
    expect(await stack.ended).toEqual({ code: 0, signal: null });
    for (const { pid } of Object.values(parts)) expect(findProcess(pid)).toBeUndefined();
  });

  it('takes along what a part has started itself', async () => {
    await behave('web', 'child');
    const stack = await start();
    const child = Number(await readFile(join(dataDirectory, 'child'), 'utf8'));
    expect(findProcess(child)).toBeDefined();
    await stack.stop();
    expect(findProcess(child)).toBeUndefined();
  });
});

describe('after a kill', () => {
  it.each([...STAND_IN_PARTS, 'postgres'])('%s is started again, said so and counted', async (part) => {
    const stack = await start(part === 'postgres' ? { embedded: true } : {});
    const before = (await stack.state()).parts[part]?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await stack.said(`${part} is up again`);
    expect(stack.output.stderr).toMatch(
      new RegExp(`^warning: ${part} (was ended by SIGKILL|ended \\(see .*\\)); starting it again in 0.2 s$`, 'm'),
    );
    await poll(async () => (await stack.state()).parts[part]?.restarts === 1);
    expect((await stack.state()).parts[part]?.pid).not.toBe(before);
    expect(await ask((await stack.state()).databaseUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('of the stack its parts stop by themselves, and the next start adopts the database with its data', async () => {
    const first = await start({ embedded: true });
    await ask(first.databaseUrl, 'create table kept as select 7 as n');
    const { parts } = await first.state();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await start({ embedded: true });
    expect(await ask(second.databaseUrl, 'select n from kept')).toEqual([{ n: 7 }]);
    const now = (await second.state()).parts;
    expect(now.postgres?.pid).toBe(parts.postgres?.pid);
    for (const name of STAND_IN_PARTS) expect(findProcess(parts[name]?.pid ?? 0)).toBeUndefined();
    await second.stop();
    expect(findProcess(parts.postgres?.pid ?? 0)).toBeUndefined();
  });

  it('of everything at once the next start is ready on the same data', async () => {
    const first = await start({ embedded: true });
    await ask(first.databaseUrl, 'create table kept as select 7 as n');
    const { parts } = await first.state();
    for (const pid of [first.child.pid ?? 0, ...Object.values(parts).map(({ pid }) => pid)])
      process.kill(pid, 'SIGKILL');
    await first.ended;
    const second = await start({ embedded: true });
    expect(await ask(second.databaseUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('keeps trying with a part that crashes at once, and serves when it has come right', async () => {
    const stack = await start();
    await behave('web', 'crash');
    process.kill((await stack.state()).parts.web?.pid ?? 0, 'SIGKILL');
    await stack.said(/web ended with code 1 \(could not start: told to crash\); starting it again in 0.8 s/);
    await rm(join(dataDirectory, 'behave-web'));
    await stack.said('web is up again');
    expect((await fetch(`http://127.0.0.1:${port + 1}/`)).status).toBe(200);
  });
});

describe('logs', () => {
  it('go to a file for each part, and warnings to people only when asked for', async () => {
    const quiet = await start();
    expect(await readFile(join(dataDirectory, 'logs', 'web.log'), 'utf8')).toContain('a warning of the part');
    expect(quiet.output.stderr).not.toContain('a warning of the part');
    await quiet.stop();
    const verbose = await start({ args: ['--verbose'] });
    await verbose.said('warning: web: a warning of the part');
  });
});
