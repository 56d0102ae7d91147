// The exit code of a process that cannot start tells its supervisor whether to start it again: 78 where only the operator
// can help, which the units of systemd do not restart, and any other code where time may.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { builtEntry, COMPILE_CACHE } from '../support/built-entry.ts';
import { newSchemaName } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { watchProcess } from '../support/watch-process.ts';

const NOBODY = 65_534;
let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'exit-codes-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Started {
  readonly part: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user?: number;
}

function start({ part, environment, user }: Started) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry(part)], {
    env: { PATH: process.env['PATH'], ...(user === undefined ? COMPILE_CACHE : {}), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  return watchProcess(child);
}

/** What it says before it ends: on standard error, one line. */
async function expectRefusal(started: Started, said: RegExp): Promise<void> {
  const { ended, output } = start(started);
  expect(await ended).toEqual({ code: 78, signal: null });
  expect(output.stderr.trimEnd()).toMatch(said);
  expect(output.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(output.stdout).not.toContain('"level":"fatal"');
}

const ROLES: readonly Started[] = [
  { part: 'web', environment: { AUTH_SECRET: 'the-auth-secret-of-the-flow-test' } },
  { part: 'broker', environment: { SERVICE_BROKER_TOKEN: 'the-broker-token-of-the-flow-test' } },
  {
    part: 'local-integrations',
    environment: { SERVICE_INTEGRATIONS_SECRET_KEY: randomUUID(), SERVICE_INTEGRATIONS_WEBHOOK_SECRET: randomUUID() },
  },
  ...['api', 'driver', 'worker-chat', 'worker-control'].map((role) => ({
    part: 'runtime',
    environment: { SERVICE_PROCESS_ROLE: role },
  })),
];

function at(change: (url: URL) => void): string {
  const url = new URL(inject('postgresUrl'));
  change(url);
  return url.href;
}

async function withDatabase({ part, environment }: Started, url: string): Promise<Started> {
  const port = String(await freePort());
  return {
    part,
    environment: {
      SERVICE_DATA_DIR: directory,
      SERVICE_DB_SCHEMA: newSchemaName(),
      SERVICE_WEB_PORT: port,
      SERVICE_RUNTIME_PORT: port,
      SERVICE_BROKER_PORT: port,
      ...environment,
      SERVICE_UPSTREAM_DB: url,
    },
  };
}

it('78: a password that PostgreSQL refuses, in every part with a database, which does not repeat it', async () => {
  const url = at((one) => (one.password = 'not-the-password'));
  for (const role of ROLES)
    await expectRefusal(
      await withDatabase(role, url),
      /^[a-z-]+: PostgreSQL refuses the password in SERVICE_UPSTREAM_DB\. Put the role's password into (?!.*not-the-password)/,
    );
});

it('78: a database that does not exist', async () => {
  const url = at((one) => (one.pathname = '/nowhere'));
  for (const role of ROLES.slice(0, 2))
    await expectRefusal(
      await withDatabase(role, url),
      /: the database in SERVICE_UPSTREAM_DB does not exist\. Create it/,
    );
});

it('78: an encryption key of another length, and one in a file that cannot be read', async () => {
  const [web = { part: 'web', environment: {} }] = ROLES;
  const whole = await withDatabase(web, inject('postgresUrl'));
  const short = randomBytes(31).toString('base64');
  const key = (more: Record<string, string>): Started => ({ ...whole, environment: { ...whole.environment, ...more } });
  const file = join(directory, 'key');
  await writeFile(file, short);
  for (const name of ['BYOK_ENCRYPTION_KEY_B64', 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64']) {
    const refused = new RegExp(`^web: ${name} takes base64 that decodes to exactly 32 bytes`);
    await expectRefusal(key({ [name]: short }), refused);
    await expectRefusal(key({ [`${name}_FILE`]: file }), refused);
    await expectRefusal(key({ [`${name}_FILE`]: join(directory, 'none') }), new RegExp(`^web: ${name}_FILE `));
    await expectRefusal(key({ [`${name}_FILE`]: directory }), new RegExp(`^web: ${name}_FILE `));
  }
});

it('78: a port that is also the one of its own metrics', async () => {
  const port = String(await freePort());
  await expectRefusal(
    { part: 'gateway', environment: { SERVICE_GATEWAY_PORT: port, SERVICE_METRICS_PORT: port } },
    new RegExp(
      `^gateway: SERVICE_GATEWAY_PORT and SERVICE_METRICS_PORT give this process the same port, ${port}: change`,
    ),
  );
});

const lowest = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '0');
it(
  '78: a port that the user may not open',
  Number(lowest) > 80 ? needs('root') : leaveOut('every user may open every port here', 'impossible'),
  async () => {
    await chmod(directory, 0o755);
    await expectRefusal(
      { part: 'gateway', environment: { SERVICE_GATEWAY_PORT: '80', SERVICE_GATEWAY_HOST: '127.0.0.1' }, user: NOBODY },
      /^gateway: SERVICE_GATEWAY_PORT takes a port that this user may open: 80 is not/,
    );
  },
);

it('a database that is not up yet is waited for', async () => {
  const target = new URL(inject('postgresUrl'));
  const port = await freePort();
  const [, broker = { part: 'broker', environment: {} }] = ROLES;
  const { child, output, ended, find } = start(
    await withDatabase(
      broker,
      at((url) => (url.port = String(port))),
    ),
  );
  await find(() => output.stdout.includes('the database does not respond yet') || undefined, 'waiting');
  const relay = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => void (socket.destroy(), upstream.destroy()));
  }).listen(port, '127.0.0.1');
  await find(() => output.stdout.includes('broker is listening') || undefined, 'listening');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  relay.close();
});
