// npm start as a whole, from the bundles in dist/: every part is the real one.
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { ENVIRONMENT, type Variable } from '../../src/base/environment.ts';
import { DIRECTORIES } from '../../src/leaving/data-table.ts';
import { findProcess } from '../../src/process/find-process.ts';
import { packageRoot } from '../../src/process/package-root.ts';
import { createSandboxClient } from '../../src/sandbox/client.ts';
import { DATABASE_PASSWORD } from '../../src/stack/generate-secrets.ts';
import { parseSecrets } from '../../src/stack/secrets-file.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

/** In a file, which is gone once everything runs. */
const DEBUG_TOKEN = 'debug-token-of-the-stack-test';
const GIVEN = {
  SERVICE_INTEGRATIONS_DATABASE_URL: 'postgresql://repair:only-the-api-role-may-see-this@127.0.0.1:9/provider',
  SERVICE_DEBUG_JWT_SECRET: 'debug-secret-of-the-stack-test-debug-secret',
  SERVICE_SANDBOX_TOKEN: 'sandbox-token-of-the-stack-test',
  OPENAI_API_KEY: 'sk-of-the-stack-test',
  ANTHROPIC_API_KEY: 'sk-ant-of-the-stack-test',
  SERVICE_OIDC_CLIENT_SECRET: 'openid-secret-of-the-stack-test',
};
/** No secrets. Nothing listens there; the provider is asked only when somebody signs in through it. */
const PROVIDER = { SERVICE_OIDC_ISSUER: 'http://127.0.0.1:9', SERVICE_OIDC_CLIENT_ID: 'stack' };
const WORKER = [
  'SERVICE_UPSTREAM_DB',
  'SERVICE_CONNECT_JWT_SECRET',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'BYOK_ENCRYPTION_KEY_B64',
  'SERVICE_INTEGRATIONS_SECRET_KEY',
  'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
  'SERVICE_BROKER_TOKEN',
  'SERVICE_SANDBOX_TOKEN',
];
/** Who holds which secret, written out again so that a change of ours shows. */
const HOLDS: Record<string, string[]> = {
  postgres: [],
  broker: ['SERVICE_UPSTREAM_DB', 'SERVICE_BROKER_TOKEN'],
  'local-integrations': [
    'SERVICE_UPSTREAM_DB',
    'SERVICE_INTEGRATIONS_SECRET_KEY',
    'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
  ],
  'local-mailbox': [],
  sandbox: ['SERVICE_SANDBOX_TOKEN'],
  web: [
    'SERVICE_OIDC_CLIENT_SECRET',
    'SERVICE_UPSTREAM_DB',
    'AUTH_SECRET',
    'SERVICE_CONNECT_JWT_SECRET',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'BYOK_ENCRYPTION_KEY_B64',
    'SERVICE_INTEGRATIONS_SECRET_KEY',
    'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
    'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
  ],
  'runtime-api': [
    'SERVICE_UPSTREAM_DB',
    'SERVICE_CONNECT_JWT_SECRET',
    'SERVICE_INTEGRATIONS_SECRET_KEY',
    'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
    'SERVICE_INTEGRATIONS_DATABASE_URL',
    'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
    'SERVICE_BROKER_TOKEN',
    'SERVICE_DEBUG_TOKEN',
    'SERVICE_DEBUG_JWT_SECRET',
  ],
  'runtime-driver': ['SERVICE_UPSTREAM_DB', 'SERVICE_BROKER_TOKEN'],
  'runtime-worker-chat': WORKER,
  'runtime-worker-control': [...WORKER, 'SERVICE_INTEGRATIONS_WEBHOOK_SECRET', 'SERVICE_SMTP_URL'],
  'runtime-worker-codex': WORKER,
  gateway: [],
};
let stack: TestStack;
beforeAll(async () => {
  const secrets = await mkdtemp(join(tmpdir(), 'stack-secrets-'));
  await writeFile(join(secrets, 'debug'), `${DEBUG_TOKEN}\n`);
  stack = await startStack({
    environment: { ...GIVEN, ...PROVIDER, SERVICE_DEBUG_TOKEN_FILE: join(secrets, 'debug') },
  });
  await rm(secrets, { recursive: true });
});
afterAll(() => stack.stop());

const health = async (path: string): Promise<number> => {
  const response = await fetch(`${stack.url}${path}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
};

/** Of a process and of everything that it has started. */
function environmentsUnder(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((one) => one !== '');
  return [
    readFileSync(`/proc/${pid}/environ`, 'utf8'),
    ...children.flatMap((child) => environmentsUnder(Number(child))),
  ];
}

describe('the whole stack', () => {
  it('serves the web server and the runtime behind the gateway once it has said ready', async () => {
    expect(await health('/runtime/healthz')).toBe(200);
    expect(await health('/healthz')).toBe(200);
  });

  it('says in every part which build it runs', async () => {
    const { parts } = await stack.state();
    const expected = JSON.parse(readFileSync(join(packageRoot(), 'dist', 'build.json'), 'utf8')) as object;
    expect(expected).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      build: expect.stringMatching(/^[0-9a-f.]{12,}$/),
    });
    for (const path of ['/gateway/healthz', '/healthz', '/runtime/healthz'])
      expect(await (await fetch(`${stack.url}${path}`)).json(), path).toMatchObject(expected);
    for (const part of ['broker', 'local-integrations', 'demo-providers'])
      if (parts[part])
        expect(await (await fetch(`http://127.0.0.1:${parts[part].port}/healthz`)).json(), part).toMatchObject(
          expected,
        );
    expect(await createSandboxClient({ url: parts['sandbox']?.url ?? '' }).health()).toMatchObject(expected);
  });

  it('runs the five roles', async () => {
    const names = Object.keys((await stack.state()).parts);
    for (const role of ['api', 'driver', 'worker-chat', 'worker-control', 'worker-codex'])
      expect(names).toContain(`runtime-${role}`);
  });

  it('writes down where the Connect UI and the sandbox controller are too', async () => {
    const { parts } = await stack.state();
    expect(parts['sandbox']).toMatchObject({ url: `unix:${stack.dataDirectory}/sandbox.sock` });
    const { port = 0, url, connectPort = 0, connectUrl } = parts['local-integrations'] ?? {};
    expect([url, connectUrl]).toEqual([`http://127.0.0.1:${port}`, `http://127.0.0.1:${connectPort}`]);
    expect((await fetch(connectUrl ?? '')).status).toBeLessThan(500);
  });

  it('hands each secret to the processes that read it and to no other', needs('linux'), async () => {
    const { parts, databaseUrl } = await stack.state();
    const made = parseSecrets(await readFile(join(stack.dataDirectory, '.env'), 'utf8'), '.env');
    const secrets: Record<string, string> = {
      ...made,
      ...GIVEN,
      SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
      SERVICE_SMTP_URL: `smtp://127.0.0.1:${parts['local-mailbox']?.smtpPort}`,
      SERVICE_UPSTREAM_DB: databaseUrl,
    };
    const variables = Object.entries<Variable>(ENVIRONMENT)
      .filter(([name, { secret }]) => secret && name !== 'SERVICE_KV_URL')
      .map(([name]) => name);
    expect(variables.filter((name) => secrets[name] === undefined)).toEqual([]);
    expect(Object.keys(parts).toSorted()).toEqual(Object.keys(HOLDS).toSorted());
    for (const [part, { pid }] of Object.entries(parts)) {
      const environments = environmentsUnder(pid);
      const held = Object.entries(secrets)
        .filter(([name, value]) =>
          environments.some((environment) => environment.includes(`${name}=`) || environment.includes(value)),
        )
        .map(([name]) => name);
      // The password of the service's role is a part of its URL; the superuser's is nowhere.
      expect([part, held.filter((name) => name !== DATABASE_PASSWORD).toSorted()]).toEqual([
        part,
        (HOLDS[part] ?? []).toSorted(),
      ]);
    }
  });

  it('lets no other user of the machine take runs: the broker asks everybody for its token', async () => {
    const { parts } = await stack.state();
    const { SERVICE_BROKER_TOKEN: token = '' } = parseSecrets(
      await readFile(join(stack.dataDirectory, '.env'), 'utf8'),
      '.env',
    );
    const polls = (base: string, headers: Record<string, string> = {}): Promise<Response>[] => [
      fetch(`${base}/poll/service-chat/thief?credit=8`, { headers }),
      fetch(`${base}/figures`, { headers }),
      fetch(`${base}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          kind: 'promise.get',
          head: { corrId: 'c', version: '2026-04-01' },
          data: { id: 'none' },
        }),
      }),
    ];
    const statuses = async (asked: Promise<Response>[]): Promise<number[]> =>
      Promise.all(
        asked.map(async (one) => {
          const response = await one;
          await response.body?.cancel();
          return response.status;
        }),
      );
    for (const base of [parts['broker']?.url ?? '', `${stack.url}/broker`]) {
      expect(await statuses(polls(base))).toEqual([401, 401, 401]);
      expect(await statuses(polls(base, { authorization: `Bearer ${token.slice(0, -1)}` }))).toEqual([401, 401, 401]);
      expect(await statuses(polls(base, { authorization: `Bearer ${token}` }))).toEqual([200, 200, 404]);
    }
    for (const name of ['.env', 'stack.json'])
      expect((await stat(join(stack.dataDirectory, name))).mode & 0o077).toBe(0);
  });

  it('has nothing in its data directory that the page on personal data does not name', async () => {
    expect((await readdir(stack.dataDirectory)).filter((name) => !(name in DIRECTORIES))).toEqual([]);
  });

  it('works in the database as a role that is not a superuser and owns nothing but its own', async () => {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query(
        'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
      );
      expect(rows).toEqual([
        { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
      ]);
      const own = await client.query(
        'select tableowner as owner, count(*)::int > 20 as many from pg_tables where schemaname = $1 group by 1',
        [stack.schema],
      );
      expect(own.rows).toEqual([{ owner: 'service', many: true }]);
      await expect(client.query("copy (select 1) to program 'cat'")).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('comes back after a SIGKILL of each of its parts', async () => {
    for (const [name, { pid }] of Object.entries((await stack.state()).parts)) {
      process.kill(pid, 'SIGKILL');
      await stack.said(`${name} is up again`);
    }
    await expect.poll(() => health('/runtime/healthz'), { timeout: 30_000 }).toBe(200);
    await expect.poll(() => health('/healthz'), { timeout: 30_000 }).toBe(200);
  });

  it('leaves nothing running when it stops', async () => {
    const { parts } = await stack.state();
    expect(await stack.stop()).toEqual({ code: 0, signal: null });
    for (const { pid } of Object.values(parts)) expect(findProcess(pid)).toBeUndefined();
  });
});
