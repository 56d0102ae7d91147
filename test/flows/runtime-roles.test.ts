// The rules of the specification for process roles, with real processes. Rules 3 and 5 and the running of functions belong to the broker.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { listProcesses, type SeenProcess } from '../../src/store/process-registry.ts';
import { MIGRATIONS, newSchemaName, openTestDatabase, quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

let directory: string;
let db: Database;
const started: RuntimeProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-roles-'));
  db = await openTestDatabase();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});
afterAll(async () => {
  await db.close();
  await rm(directory, { recursive: true, force: true });
});

const environment = (more: Record<string, string>, schema = db.schema): Record<string, string> => ({
  SERVICE_UPSTREAM_DB: inject('postgresUrl'),
  SERVICE_DB_SCHEMA: schema,
  SERVICE_DATA_DIR: directory,
  ...more,
});

function start(more: Record<string, string>, schema?: string, entry?: string): RuntimeProcess {
  const one = startRuntime(environment(more, schema), entry);
  started.push(one);
  return one;
}

const registered = async (one: RuntimeProcess): Promise<SeenProcess | undefined> =>
  (await listProcesses(db)).find(({ pid }) => pid === one.child.pid);

/** The TCP ports a process listens on, as the kernel knows them. */
function listeningPorts(pid: number): number[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && sockets.has(`socket:[${fields[9]}]`))
      .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)),
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Only the Linux kernel tells; elsewhere the port that is taken or refused has to do. */
function expectPorts(one: RuntimeProcess, ports: number[]): void {
  expect(process.platform === 'linux' ? listeningPorts(one.child.pid ?? 0) : ports).toEqual(ports);
}

describe('which role binds', () => {
  it('api binds SERVICE_RUNTIME_PORT, and nothing else', async () => {
    const port = await freePort();
    const api = start({ SERVICE_PROCESS_ROLE: 'api', SERVICE_RUNTIME_PORT: String(port) });
    expect(await api.said('running')).toMatchObject({ role: 'api', group: 'service-api' });
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toMatchObject({
      ok: true,
      role: 'api',
      database: 'ok',
    });
    expectPorts(api, [port]);
    expect(await registered(api)).toMatchObject({ role: 'api', group: 'service-api', state: 'running' });
  });

  it('the other four bind nothing, stay alive in their groups and show in the process table', async () => {
    const groups = {
      driver: 'service-driver',
      'worker-chat': 'service-chat',
      'worker-control': 'service-control',
      'worker-codex': 'service-codex',
    };
    // Their port is taken: a role that tried to bind would fail.
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    const four = Object.entries(groups).map(([role, group]) => ({
      role,
      group,
      one: start({ SERVICE_PROCESS_ROLE: role, SERVICE_RUNTIME_PORT: String(port) }),
    }));
    for (const { role, group, one } of four) {
      expect(await one.said('running')).toMatchObject({ role, group });
      const first = await registered(one);
      expect(first).toMatchObject({ role, group, state: 'running' });
      expectPorts(one, []);
    }
    const beats = await Promise.all(
      four.map(async ({ one }) => (await registered(one))?.seenAt.getTime() ?? Number.MAX_VALUE),
    );
    for (const [at, { one }] of four.entries()) {
      await expect
        .poll(async () => (await registered(one))?.seenAt.getTime(), { timeout: 30_000, interval: 250 })
        .toBeGreaterThan(beats[at] ?? 0);
      expect(one.child.exitCode).toBeNull();
    }
    taken.close();
  });

  it('rule 1: an absent or empty SERVICE_PROCESS_ROLE is api', async () => {
    for (const role of [{}, { SERVICE_PROCESS_ROLE: '' }] as Record<string, string>[]) {
      const port = await freePort();
      const one = start({ ...role, SERVICE_RUNTIME_PORT: String(port) });
      await one.said('running');
      expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toMatchObject({ role: 'api' });
    }
  });

  it('rule 2: any other value is all: the api group, no port, and it stays alive', async () => {
    const port = await freePort();
    const one = start({
      SERVICE_PROCESS_ROLE: 'worker-everything',
      SERVICE_RUNTIME_PORT: String(port),
      BROKER_GROUP_API: 'front',
    });
    expect(await one.said('running')).toMatchObject({ role: 'all', group: 'front' });
    expect(await registered(one)).toMatchObject({ role: 'all', group: 'front' });
    expectPorts(one, []);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
    expect(one.child.exitCode).toBeNull();
  });

  it('rule 2: a value is not trimmed: a blank, or a role with one beside it, is all', async () => {
    for (const role of [' ', ' worker-chat', 'api ']) {
      const one = start({ SERVICE_PROCESS_ROLE: role, SERVICE_RUNTIME_PORT: String(await freePort()) });
      expect(await one.said('running')).toMatchObject({ role: 'all', group: 'service-api' });
      expectPorts(one, []);
    }
  });

  it('groups are overridden by their variables', async () => {
    const overridden = {
      driver: 'BROKER_GROUP_DRIVER',
      'worker-chat': 'BROKER_GROUP_CHAT',
      'worker-control': 'BROKER_GROUP_CONTROL',
      'worker-codex': 'BROKER_GROUP_CODEX',
    };
    const all = Object.fromEntries(Object.values(overridden).map((variable) => [variable, `mine-${variable}`]));
    for (const [role, variable] of Object.entries(overridden)) {
      const one = start({ ...all, SERVICE_PROCESS_ROLE: role });
      expect(await one.said('running')).toMatchObject({ role, group: `mine-${variable}` });
      await one.stop();
    }
  });
});

describe('the schema', () => {
  it('is migrated by api before it listens; the others wait for it', async () => {
    const schema = newSchemaName();
    const port = await freePort();
    const driver = start({ SERVICE_PROCESS_ROLE: 'driver' }, schema);
    const all = start({ SERVICE_PROCESS_ROLE: 'something' }, schema);
    const looking = await openDatabase({
      url: inject('postgresUrl'),
      schema,
      poolMax: 1,
      applicationName: 'test',
      log: quiet,
    });
    // Both have had their look at the missing schema before api comes.
    const waiting = {
      level: 'info',
      schema,
      msg: 'waiting for the api role to create or update the schema',
    };
    await Promise.all([driver.said(waiting.msg), all.said(waiting.msg)]);
    expect([driver.lines, all.lines]).toEqual([[expect.objectContaining(waiting)], [expect.objectContaining(waiting)]]);
    expect((await looking.query('select 1 from pg_namespace where nspname = $1', [schema])).rowCount).toBe(0);

    const api = start({ SERVICE_RUNTIME_PORT: String(port) }, schema);
    await api.said('listening');
    const migrations = await readMigrations(MIGRATIONS);
    const said = api.lines.map(({ msg }) => msg);
    expect(said[0]).toBe('schema is current');
    expect(said.indexOf('listening')).toBeGreaterThan(0);
    expect(api.lines[0]).toMatchObject({ applied: migrations.numbered.length, functions: migrations.functions.length });
    expect(await migrate(looking, migrations)).toEqual({ applied: 0, functions: 0 });
    await Promise.all([driver.said('running'), all.said('running')]);
    await looking.close();
  });

  it('is made by the broker and by the web server too: each starts alone, and at once, on an empty database', async () => {
    const schema = newSchemaName();
    const [brokerPort, webPort] = [await freePort(), await freePort()];
    const broker = start(
      { SERVICE_BROKER_PORT: String(brokerPort), SERVICE_BROKER_TOKEN: 'the-broker-token-of-the-flow-test' },
      schema,
      'broker',
    );
    const web = start(
      { SERVICE_WEB_PORT: String(webPort), AUTH_SECRET: 'the-auth-secret-of-the-flow-test' },
      schema,
      'web',
    );
    await Promise.all([broker.said('broker is listening'), web.said('web server is listening')]);
    for (const port of [brokerPort, webPort])
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

describe('starting and stopping', () => {
  it('SIGTERM ends every role with code 0 and takes it out of the process table', async () => {
    const roles = [
      start({ SERVICE_RUNTIME_PORT: String(await freePort()) }),
      start({ SERVICE_PROCESS_ROLE: 'worker-chat' }),
      start({ SERVICE_PROCESS_ROLE: 'nonsense' }),
    ];
    await Promise.all(roles.map((one) => one.said('running')));
    for (const one of roles) {
      expect(await registered(one)).toBeDefined();
      expect(await one.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(one.stderr()).toBe('');
      expect(await registered(one)).toBeUndefined();
    }
  });

  it('SIGKILL leaves nothing that stops the next start on the same port', async () => {
    const port = await freePort();
    const first = start({ SERVICE_RUNTIME_PORT: String(port) });
    await first.said('listening');
    await first.stop('SIGKILL');
    expect(await registered(first)).toBeDefined();
    const second = start({ SERVICE_RUNTIME_PORT: String(port) });
    await second.said('running');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('without SERVICE_UPSTREAM_DB it fails with one line that says so', async () => {
    for (const role of ['api', 'worker-codex']) {
      const one = startRuntime({ SERVICE_PROCESS_ROLE: role, SERVICE_DATA_DIR: directory });
      const { code } = await one.exited;
      expect(code).not.toBe(0);
      expect(one.stderr().trim().split('\n')).toEqual([
        expect.stringContaining('storage requires SERVICE_UPSTREAM_DB'),
      ]);
    }
  });

  it('a broker without a token does not start, unless open access is explicitly allowed', async () => {
    const refusal =
      'broker: the broker requires SERVICE_BROKER_TOKEN: set it to a long random string (make one with: openssl rand -hex 32), the same for the broker and every role; SERVICE_BROKER_ALLOW_OPEN=1 starts it without one.\n';
    for (const more of [
      {},
      { SERVICE_BROKER_TOKEN: '' },
      { SERVICE_BROKER_TOKEN: '  ' },
      { SERVICE_BROKER_ALLOW_OPEN: 'true' },
      { SERVICE_BROKER_ALLOW_OPEN: ' 1' },
    ] as Record<string, string>[]) {
      const one = start({ ...more, SERVICE_BROKER_PORT: String(await freePort()) }, undefined, 'broker');
      expect((await one.exited).code).toBe(78);
      expect(one.stderr()).toBe(refusal);
    }
    const port = await freePort();
    const open = start({ SERVICE_BROKER_ALLOW_OPEN: '1', SERVICE_BROKER_PORT: String(port) }, undefined, 'broker');
    expect(
      await open.said('no broker token is set: anyone who can connect to this port can take and change runs'),
    ).toMatchObject({ level: 'warn' });
    await open.said('broker is listening');
    expect((await fetch(`http://127.0.0.1:${port}/figures`)).status).toBe(200);
  });

  it('a model catalogue that cannot be used ends each process that reads it with one line that names the variable', async () => {
    const broken = join(directory, 'models.json');
    await writeFile(broken, '{"models":[{"id":"a"},{}]}');
    for (const file of [broken, join(directory, 'none.json')]) {
      const roles = ['api', 'worker-chat', 'worker-control', 'worker-codex'].map((role) =>
        start({ SERVICE_PROCESS_ROLE: role, SERVICE_MODEL_CATALOG: file }),
      );
      for (const one of [
        ...roles,
        start({ SERVICE_MODEL_CATALOG: file, AUTH_SECRET: 'the-auth-secret-of-the-flow-test' }, undefined, 'web'),
      ]) {
        expect((await one.exited).code).toBe(78);
        expect(one.stderr()).toMatch(/^(?:runtime|web): SERVICE_MODEL_CATALOG (?:takes|must be) [^\n]+\n$/);
      }
    }
  });

  it('a port that is taken ends the process with a line that says so', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    const one = start({ SERVICE_RUNTIME_PORT: String(port) });
    expect((await one.exited).code).toBe(1);
    expect(JSON.stringify(one.lines.at(-1))).toContain('EADDRINUSE');
    taken.close();
  });
});
