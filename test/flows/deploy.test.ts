// The deployment files, proven: each starts the service as it says, and a person gets an answer through the gateway.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEPLOY,
  type DeployedPart,
  readCompose,
  readEnvFile,
  readKubernetes,
  readSystemd,
} from '../../scripts/read-deploy-files.ts';
import { findProgram } from '../../scripts/test-programs.ts';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres, type RunningPostgres } from '../../src/postgres/launch.ts';
import { type DemoProviders, startDemoProviders } from '../support/models/demo-providers.ts';
import { type Deployment, type Ground, startDeployment, unpackImage } from '../support/stack/deployment.ts';
import { freePort, freePorts } from '../support/free-port.ts';
import { signUp } from '../support/http-client.ts';
import { needs } from '../support/needs.ts';
import { ROOTFUL } from '../support/sandbox/sandbox.ts';

const ROLES = ['api', 'driver', 'worker-chat', 'worker-control', 'worker-codex'];
const SCRIPT = join(DEPLOY, 'postgres', 'init-databases.sh');
const psql = findProgram('psql');

let directory: string;
let app: string;
let image: ReturnType<typeof unpackImage>;
let demo: DemoProviders;
let postgres: RunningPostgres;
let superuserUrl: string;
let bundle: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-deploy-'));
  app = join(directory, 'app');
  image = unpackImage(app);
  demo = await startDemoProviders();
  await startPostgres();
  bundle = await fillIn();
  await makeDatabases();
});
afterAll(async () => {
  await demo?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** An empty server as the container has it, with the superuser postgres: roles belong to a whole server. */
async function startPostgres(): Promise<void> {
  postgres = await launchPostgres({
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: 'test',
    adminPassword: 'test',
    logFile: join(directory, 'postgres.log'),
  });
  await query(postgres.adminUrl, "create role postgres superuser login password 'test'");
  superuserUrl = postgres.adminUrl.replace(/\/\/\w+:/, '//postgres:');
  await query(superuserUrl, 'alter role service rename to maker');
}

async function query(connectionString: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

/** env.example as an operator fills it in. */
async function fillIn(): Promise<Record<string, string>> {
  const example = readEnvFile(await readFile(join(DEPLOY, 'env.example'), 'utf8'));
  const secret = (name: string): string =>
    /_KEY_B64$|^NANGO_ENCRYPTION_KEY$/.test(name)
      ? randomBytes(32).toString('base64')
      : randomBytes(16).toString('hex');
  const filled = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, value === 'change-me' ? secret(name) : value]),
  );
  const database = filled['SERVICE_DATABASE_PASSWORD'] ?? '';
  return {
    ...filled,
    SERVICE_UPSTREAM_DB: `postgresql://service:${database}@127.0.0.1:5432/service`,
    SERVICE_INTEGRATIONS_DATABASE_URL: `postgresql://nango_reader:${filled['NANGO_READER_PASSWORD']}@127.0.0.1:5432/nango`,
    NANGO_DATABASE_URL: `postgresql://nango:${filled['NANGO_DATABASE_PASSWORD']}@127.0.0.1:5432/nango`,
    OPENAI_API_KEY: 'sk-demo',
    OPENAI_API_URL: demo.url,
    SERVICE_DEBUG_TOKEN: randomBytes(16).toString('hex'),
    SERVICE_GATEWAY_HOST: '127.0.0.1',
  };
}

/** With the script that the PostgreSQL container runs at its first start. */
async function makeDatabases(): Promise<void> {
  if (psql === undefined) {
    await query(
      superuserUrl,
      `create role service login password '${bundle['SERVICE_DATABASE_PASSWORD']}'`,
      'create database service owner service',
    );
    return;
  }
  const { hostname, port, username, password } = new URL(superuserUrl);
  const { status, stderr } = spawnSync('sh', [SCRIPT], {
    encoding: 'utf8',
    env: {
      PATH: `${dirname(psql)}:${process.env['PATH']}`,
      PGHOST: hostname,
      PGPORT: port,
      PGPASSWORD: password,
      POSTGRES_USER: username,
      ...pick(['SERVICE_DATABASE_PASSWORD', 'NANGO_DATABASE_PASSWORD', 'NANGO_READER_PASSWORD']),
    },
  });
  if (status !== 0) throw new Error(stderr);
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, bundle[name] ?? '']));
}

async function groundFor(name: string): Promise<Ground> {
  const { host } = new URL(superuserUrl);
  // Units start the programs of a checkout: what the image says is not there.
  return {
    app,
    environment: name.includes('systemd') ? {} : image.environment,
    dataDirectory: join(directory, name),
    port: await freePorts(9),
    replace: { '@postgres:5432': `@${host}`, '@127.0.0.1:5432': `@${host}` },
  };
}

const FILES: Record<string, () => DeployedPart[]> = {
  'compose.yaml': () => readCompose(bundle),
  'the systemd units': () =>
    readSystemd(Object.fromEntries(Object.entries(bundle).filter(([name]) => name !== 'NANGO_DATABASE_URL'))),
  'the Kubernetes manifests': () =>
    readKubernetes(bundle).map((part) => ({
      ...part,
      environment:
        'OPENAI_API_KEY' in part.environment ? { ...part.environment, OPENAI_API_URL: demo.url } : part.environment,
    })),
};

describe.each(Object.keys(FILES))('the service as started by %s', (name) => {
  let parts: DeployedPart[];
  let deployment: Deployment;
  beforeAll(async () => {
    // The sandbox controller stays up and says why, where the machine that runs the tests has no safe sandbox.
    parts = (FILES[name]?.() ?? []).map((part) =>
      part.name === 'sandbox'
        ? { ...part, environment: { ...part.environment, SERVICE_SANDBOX_WHEN_UNSAFE: 'refuse' } }
        : part,
    );
    deployment = await startDeployment(parts, await groundFor(name.replaceAll(/\W/g, '-')));
  });
  afterAll(() => deployment?.stop());

  it('gives an answer of a model through the gateway, paid by the key of the env file', async () => {
    const { url } = deployment;
    const owner = await signUp(url, 'Operator');
    const { body } = await owner.post('/api/organizations', { name: 'Acme' });
    const token = await owner.token(body.organization.id, ['chat', 'connect:read', 'connect:write']);
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect([answer.status, answer.headers.get('x-service-credential')]).toEqual([200, 'platform']);
    expect(
      ((await answer.json()) as { choices: [{ message: { content: string } }] }).choices[0].message.content,
    ).toMatch(/^Demo answer/);
    const connectors = await fetch(`${url}/connect/connectors`, { headers: { authorization: `Bearer ${token}` } });
    expect(connectors.status).toBe(200);
    // The provider has no secret key yet, as on the first deployment: everything else works.
    const session = await fetch(`${url}/connect/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"provider":"github"}',
    });
    expect([session.status, ((await session.json()) as { error: string }).error]).toEqual([
      503,
      'integrations_not_configured',
    ]);
  });

  it('runs every role, and each is where the others expect it', async () => {
    const { processes } = (await (
      await fetch(`${deployment.url}/service-debug/processes`, {
        headers: { authorization: `Bearer ${bundle['SERVICE_DEBUG_TOKEN']}` },
      })
    ).json()) as { processes: { role: string; state: string }[] };
    const running = new Set(processes.filter(({ state }) => state === 'running').map(({ role }) => role));
    expect([...ROLES, 'web', 'broker'].filter((role) => !running.has(role))).toEqual([]);
    const broker = (await (
      await fetch(`${deployment.url}/service-debug/broker`, {
        headers: { authorization: `Bearer ${bundle['SERVICE_DEBUG_TOKEN']}` },
      })
    ).json()) as { reachable: boolean };
    expect(broker.reachable).toBe(true);
  });

  it('is well by its own health checks', () => {
    // The controller of a deployment is root in its container, and does not serve with less.
    const checked = parts.filter(
      ({ healthcheck, name: part }) =>
        healthcheck !== undefined &&
        deployment.parts.has(part) &&
        (part !== 'sandbox' || ROOTFUL.leftOut === undefined),
    );
    expect(checked.length).toBe(name === 'compose.yaml' ? (ROOTFUL.leftOut === undefined ? 5 : 4) : 0);
    for (const part of checked) expect([part.name, deployment.checkHealth(part)]).toEqual([part.name, 0]);
  });

  it('writes no secret into a log, and stops cleanly on SIGTERM', async () => {
    const codes = await deployment.stop();
    expect(codes).toEqual(Object.fromEntries([...deployment.parts.keys()].map((part) => [part, 0])));
    const secrets = Object.entries(bundle)
      .filter(([variable, value]) => /SECRET|PASSWORD|TOKEN|_KEY/.test(variable) && value.length >= 16)
      .map(([, value]) => value);
    for (const part of deployment.parts.keys())
      for (const secret of secrets) expect(deployment.logOf(part).includes(secret), part).toBe(false);
  });
});

describe('a health check', () => {
  it('fails when nothing answers', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(DEPLOY, 'healthcheck.mjs'), 'http://127.0.0.1:1/healthz'],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
    expect(spawnSync(process.execPath, [join(DEPLOY, 'healthcheck.mjs'), 'tcp://127.0.0.1:1']).status).toBe(1);
  });
});

describe('the databases of the compose file', needs('psql'), () => {
  it('belong to roles of their own; the reader of the provider can read and cannot write', async () => {
    const { host } = new URL(superuserUrl);
    const as = async (role: string, password: string, database: string, sql: string): Promise<unknown> => {
      const client = new pg.Client({
        connectionString: `postgresql://${role}:${bundle[password]}@${host}/${database}`,
      });
      try {
        await client.connect();
        return (await client.query(sql)).rows ?? 'done';
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await client.end().catch(() => {});
      }
    };
    await as('nango', 'NANGO_DATABASE_PASSWORD', 'nango', 'create schema nango');
    await as('nango', 'NANGO_DATABASE_PASSWORD', 'nango', 'create table nango.seen as select 1 as one');
    expect(await as('nango_reader', 'NANGO_READER_PASSWORD', 'nango', 'select one from nango.seen')).toEqual([
      { one: 1 },
    ]);
    const DENIED = '42501';
    expect(await as('nango_reader', 'NANGO_READER_PASSWORD', 'nango', 'delete from nango.seen')).toBe(DENIED);
    expect(await as('nango', 'NANGO_DATABASE_PASSWORD', 'service', 'select 1')).toBe(DENIED);
    expect(await as('service', 'SERVICE_DATABASE_PASSWORD', 'nango', 'select 1')).toBe(DENIED);
  });
});
