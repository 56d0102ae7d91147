// servicectl admin support, as built: what is planted everywhere in a deployment must not be in any byte of what it
// writes, with the service running and with everything down.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENVIRONMENT, type Variable } from '../../src/base/environment.ts';
import { servicectl } from '../support/cli/servicectl.ts';
import { freePorts } from '../support/free-port.ts';
import { signUp } from '../support/http-client.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const random = (): string => randomBytes(12).toString('hex');
const PERSON = `Quirina${random()}`;
const ORGANIZATION = `Zyx ${random()} Holdings`;
const OBJECTIVE = `write to the lawyer of ${random()} about the merger`;
const MESSAGE = `what does ${random()} cost`;
const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${random()}.${random()}`;
/** Of a file that the operator names. */
const NAMED_LOG = 'named by the operator.log';
/** The gateway, the sandbox controller, the driver and three workers. */
const METRICS_PORTS = 6;

let stack: TestStack;
let directory: string;
let metrics: string;
let planted: Record<string, string>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'support-'));
  metrics = String(await freePorts(METRICS_PORTS));
  stack = await startStack({ environment: { SERVICE_LOG_LEVEL: 'trace', SERVICE_METRICS_PORT: metrics } });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

it('has what helps, and nothing that was planted, while the service runs', async () => {
  planted = { ...(await plantContent()), ...(await plantLogs()), ...(await secretsOfTheStack()) };
  // A short one is a part of many words.
  if (hostname().length > 5) planted['machine'] = hostname();
  const { environment, secrets } = plantSecrets(new Set(['SERVICE_UPSTREAM_DB', 'SERVICE_BROKER_TOKEN']));
  const log = join(directory, NAMED_LOG);
  await writeFile(log, `${line({ msg: `took ${TOKEN} for ${PERSON}@example.test` })}\n${OBJECTIVE}\n`);

  const out = join(directory, 'running.tar.gz');
  const ran = await servicectl(
    ['admin', 'support', '--out', out, '--log', log, '--data-dir', stack.dataDirectory, '--json'],
    { environment: { ...environment, SERVICE_METRICS_PORT: metrics } },
  );
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ file: out, missing: [] });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const files = await unpack(out);
  expectNothingOf({ ...planted, ...secrets }, files);

  expect(json(files, 'doctor.json').findings).toContainEqual(
    expect.objectContaining({ check: 'storage.reachable', level: 'ok' }),
  );
  const { program, parts } = json(files, 'versions.json');
  for (const part of ['worker-chat', 'web', 'gateway', 'sandbox']) expect(parts).toContainEqual({ part, ...program });
  expect(json(files, 'tables.json')).toContainEqual(expect.objectContaining({ name: 'chat_message' }));
  expect(json(files, 'schema.json').applied[0]).toEqual({ version: 1, name: expect.any(String), changed: false });
  expect(json(files, 'broker.json').groups.length).toBeGreaterThan(0);
  expect(json(files, 'work.json').receipts.total).toBeGreaterThan(0);
  expect(json(files, 'processes.json')[0]).toMatchObject({ host: 1, state: 'running' });
  const settings = json(files, 'settings.json');
  expect(settings.SERVICE_SMTP_URL).toEqual({ from: 'variable' });
  expect(settings.SERVICE_DRAIN_SECONDS).toMatchObject({ value: expect.any(Number) });
  for (const part of ['web', 'runtime-api', 'broker', 'gateway', 'sandbox', 'driver', 'worker-control'])
    expect(files.get(`metrics/${part}.txt`), part).toContain('service_build_info{');
  expect(files.get('logs/web.txt')).toContain('"msg":"web server is listening"');
  expect(files.get('logs/web.txt')).toContain('"msg":"a line with things in it"');
  expect(files.get('logs/named-1.txt')).toMatch(/"msg":"took \[token\] for \[address\]".*\n\[1 lines of other texts/);
  expect(files.get('README')).toContain('Look through it before you send it');
});

it('is written with everything down, and says what could not be read', async () => {
  await stack.stop();
  const { environment, secrets } = plantSecrets(new Set());
  const dataDirectory = join(directory, 'data');
  await mkdir(join(dataDirectory, 'logs'), { recursive: true });
  await writeFile(
    join(dataDirectory, 'logs', 'web.log'),
    `${line({ msg: `took ${TOKEN}`, text: MESSAGE })}\n${OBJECTIVE}\n`,
  );
  const out = join(directory, 'stopped.tar.gz');
  const ran = await servicectl(['admin', 'support', '--out', out, '--data-dir', dataDirectory], { environment });
  expect(ran).toMatchObject({
    code: 0,
    stdout: `${out}\n`,
    stderr: expect.stringContaining(
      'Could not be read: broker.json, processes.json, schema.json, server.json, tables.json, work.json.',
    ),
  });
  const files = await unpack(out);
  expectNothingOf({ ...planted, ...secrets }, files);
  expect(json(files, 'doctor.json')).toMatchObject({ worst: 'fault' });
  expect(json(files, 'schema.json')).toEqual({ missing: 'ECONNREFUSED' });
  expect(files.get('metrics/web.txt')).toBe('# did not answer: nothing listens there\n');
  expect(files.get('README')).toMatch(/schema\.json .* \(could not be read\)/);

  expect(
    await servicectl(['admin', 'support', '--out', out, '--data-dir', dataDirectory], { environment }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stopped.tar.gz already exists'),
  });
});

it('reads the journal of the units where there are no log files', async () => {
  const programs = join(directory, 'programs');
  await mkdir(programs);
  // A real journal needs systemd as the first process: this one writes down what it is asked, and answers with lines.
  await writeFile(join(directory, 'journal'), `${line({ msg: 'stopping', text: MESSAGE })}\n${OBJECTIVE}\n`);
  await writeFile(
    join(programs, 'journalctl'),
    `#!/bin/sh\necho "$@" > '${join(directory, 'asked')}'\nexec cat '${join(directory, 'journal')}'\n`,
    { mode: 0o755 },
  );
  const dataDirectory = join(directory, 'units');
  await mkdir(dataDirectory);
  const out = join(directory, 'units.tar.gz');
  const environment = { PATH: `${programs}:${process.env['PATH']}`, SERVICE_UPSTREAM_DB: 'postgresql://127.0.0.1:1/x' };
  const ran = await servicectl(['admin', 'support', '--out', out, '--data-dir', dataDirectory], { environment });
  expect([ran.code, ran.stdout]).toEqual([0, `${out}\n`]);
  expect(await readFile(join(directory, 'asked'), 'utf8')).toBe(
    '--unit=service-* --lines=2000 --output=cat --no-pager --quiet\n',
  );
  const files = await unpack(out);
  expectNothingOf({ objective: OBJECTIVE, message: MESSAGE }, files);
  expect(files.get('logs/journal.txt')).toMatch(/"msg":"stopping"}\n\[1 lines of other texts were left out\]\n$/);
});

/** A value for each secret, of the form that it takes; with all in one environment nothing else can be reached. */
function plantSecrets(but: ReadonlySet<string>) {
  const secrets: Record<string, string> = {};
  const environment: Record<string, string> = {};
  for (const [name, variable] of Object.entries<Variable>(ENVIRONMENT)) {
    if (variable.secret !== true || but.has(name)) continue;
    const secret = variable.kind === 'key32' ? randomBytes(32).toString('base64') : `${random()}%2F${random()}`;
    secrets[name] = secret;
    environment[name] = valueOf(variable.kind, secret);
  }
  environment['SERVICE_OAUTH_LINEAR_CLIENT_SECRET'] = secrets['an OAuth app'] = random();
  environment['NANGO_DASHBOARD_PASSWORD'] = secrets['the dashboard'] = random();
  environment['POSTGRES_PASSWORD'] = secrets['the password of a container'] = random();
  environment['SERVICE_OIDC_BREAK_GLASS'] = secrets['a person of the configuration'] = `${random()}@example.test`;
  environment['SERVICE_OIDC_ISSUER'] = `https://${(secrets['a host'] = `${random()}.example.test`)}/`;
  environment['OPENAI_API_URL'] = `http://127.0.0.1:1/${random()}`;
  return { environment, secrets };
}

function valueOf(kind: Variable['kind'], secret: string): string {
  switch (kind) {
    case 'postgres-url':
      return `postgresql://jo:${secret}@127.0.0.1:1/service`;
    case 'redis-url':
      return `redis://:${secret}@127.0.0.1:1`;
    case 'smtp-url':
      return `smtp://jo:${secret}@127.0.0.1:1`;
    default:
      return secret;
  }
}

/** The day of a person: an account, an organization, a chat, a run. */
async function plantContent(): Promise<Record<string, string>> {
  const person = await signUp(stack.url, PERSON);
  const created = await person.post('/api/organizations', { name: ORGANIZATION });
  const organization = created.body.organization as { id: string; slug: string };
  const token = await person.token(organization.id, ['chat', 'jobs:write', 'connect:read', 'receipts:read']);
  const send = (path: string, body: unknown): Promise<Response> =>
    fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const chat = await send('/v1/chat/completions', {
    model: 'gpt-5-nano',
    messages: [{ role: 'user', content: MESSAGE }],
  });
  expect(chat.status).toBe(200);
  await chat.text();
  const run = await send('/agents/factory/jobs', { objective: OBJECTIVE });
  expect([run.status, await run.text()]).toEqual([202, expect.anything()]);
  return {
    person: PERSON,
    address: person.email,
    organization: ORGANIZATION,
    slug: organization.slug,
    objective: OBJECTIVE,
    message: MESSAGE,
    token,
    cookie: person.cookie.slice(-40),
  };
}

/** What a fault in the service, or another program, could leave in a log. */
async function plantLogs(): Promise<Record<string, string>> {
  const key = `sk-proj-${random()}`;
  const things = { text: MESSAGE, organization: ORGANIZATION, key, more: { objective: OBJECTIVE } };
  const err = { type: 'Error', message: OBJECTIVE, stack: `Error: ${OBJECTIVE}\n    at one (file:///dist/web.js:1:2)` };
  await appendFile(
    join(stack.dataDirectory, 'logs', 'web.log'),
    [
      line({ msg: 'a line with things in it', ...things, err, reason: TOKEN }),
      `${OBJECTIVE} ${TOKEN}`,
      `Error: ${MESSAGE} at https://jo:${key}@example.test`,
      '',
    ].join('\n'),
  );
  return { 'a token in a log': TOKEN, 'a key in a log': key };
}

function line(more: object): string {
  return JSON.stringify({ level: 'error', time: new Date().toISOString(), part: 'web', pid: 1, ...more });
}

async function secretsOfTheStack(): Promise<Record<string, string>> {
  const text = await readFile(join(stack.dataDirectory, '.env'), 'utf8');
  const pairs = text
    .split('\n')
    .filter((one) => /^\w+=/.test(one))
    .map((one) => one.split(/=(.*)/s) as [string, string]);
  expect(pairs.length).toBeGreaterThan(3);
  return {
    ...Object.fromEntries(pairs.map(([name, value]) => [`${name} of the stack`, value.replaceAll(/^['"]|['"]$/g, '')])),
    'the password of its database': new URL(stack.databaseUrl).password,
    'its data directory': stack.dataDirectory,
  };
}

async function unpack(archive: string): Promise<Map<string, string>> {
  const into = await mkdtemp(join(directory, 'unpacked-'));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', into]);
  const top = join(into, 'support');
  const found = (await readdir(top, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      found.map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        return [path.slice(top.length + 1), await readFile(path, 'latin1')];
      }),
    ),
  );
}

function expectNothingOf(secrets: Readonly<Record<string, string>>, files: ReadonlyMap<string, string>): void {
  for (const [what, value] of Object.entries(secrets)) {
    expect(value.length, what).toBeGreaterThan(1);
    for (const form of [
      value,
      encodeURIComponent(value),
      decodeURIComponent(value),
      Buffer.from(value).toString('base64'),
    ])
      for (const [name, text] of files) expect(text.includes(form), `${what} in ${name}`).toBe(false);
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its type
function json(files: ReadonlyMap<string, string>, name: string): any {
  return JSON.parse(files.get(name) ?? 'null');
}
