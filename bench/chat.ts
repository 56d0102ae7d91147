// Chat through the gateway's web process, with every check on, compared with Portkey (which checks nothing), a bare
// Node passthrough and the provider itself. Each runs as a process on one core; rounds take turns. Portkey is installed
// on demand, pinned, outside the package.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { seal } from '../src/base/seal.ts';
import { providerKeyContext } from '../src/keys/sealed-secrets.ts';
import { createOrganization } from '../src/tenancy/organizations/create-organization.ts';
import { freePort } from '../test/support/free-port.ts';
import { CHUNKS } from './peers/chat-roles.ts';
import type { Aim } from './support/aims.ts';
import { median } from './support/median.ts';
import { type BenchPostgres, startPostgres } from './support/postgres.ts';
import { cpuSeconds, listening, residentMegabytes } from './support/processes.ts';
import { isProfiling, isWanted, PROFILING } from './support/profile.ts';

const ROOT = join(import.meta.dirname, '..');
const ROLES_FILE = join(import.meta.dirname, 'peers', 'chat-roles.ts');
// With the newest server adapter that its range allows, Portkey fails on every stream ("immutable" headers).
const PORTKEY = { dependencies: { '@portkey-ai/gateway': '1.15.2' }, overrides: { '@hono/node-server': '1.13.7' } };
const ROUNDS = 5;
const PROXY_CORE = '0';
const OTHER_CORES = '1';
const SECRET = 'bench-secret-bench-secret-bench-secret';

interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly child?: ChildProcess;
}

interface Round {
  readonly count: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstMs: number;
  readonly chunks: number;
  readonly cpuSeconds: number;
}

/** What our figures may be for each kind of work: processor time as a multiple of the bare passthrough, added latency in ms. */
const AIMS: Readonly<Record<string, { cpu: number; added?: number; first?: number }>> = {
  'whole answers, 50 clients': { cpu: 2 },
  'whole answers, 1 client': { cpu: 2.56, added: 0.6 },
  [`streams of ${CHUNKS} chunks, 50 clients`]: { cpu: 1.34, first: 6 },
  [`streams of ${CHUNKS} chunks, 1 client`]: { cpu: 1.44 },
};

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const aims: Aim[] = [];
  const children: ChildProcess[] = [];
  const postgres = await startPostgres();
  try {
    const upstream = `http://127.0.0.1:${await freePort()}`;
    children.push(start(OTHER_CORES, [ROLES_FILE, 'upstream', new URL(upstream).port]));
    const targets: Target[] = [
      { name: 'direct', url: upstream, headers: {} },
      await startPassthrough(upstream, children),
      ...(isProfiling ? [] : [await startPortkey(upstream, children)]),
      ...(await startOurs(postgres, upstream, children)),
    ];
    await Promise.all([upstream, ...targets.map(({ url }) => url)].map((url) => listening(Number(new URL(url).port))));

    for (const { title, connections, stream } of [
      { title: 'whole answers, 50 clients', connections: 50, stream: false },
      { title: 'whole answers, 1 client', connections: 1, stream: false },
      { title: `streams of ${CHUNKS} chunks, 50 clients`, connections: 50, stream: true },
      { title: `streams of ${CHUNKS} chunks, 1 client`, connections: 1, stream: true },
    ]) {
      if (!isWanted(title)) continue;
      const rounds = new Map(targets.map(({ name }) => [name, [] as Round[]]));
      for (let round = 0; round <= ROUNDS; round++) {
        for (const target of targets) {
          const measured = await measure(target, connections, stream);
          if (round > 0 && measured) rounds.get(target.name)?.push(measured);
        }
      }
      print(report, title, targets, rounds);
      aims.push(...compareWithAims(title, rounds));
    }
  } finally {
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of children) child.kill(isProfiling ? 'SIGTERM' : 'SIGKILL');
    await Promise.all(ended);
    await postgres.stop();
  }
  return aims;
}

function print(
  report: (line: string) => void,
  title: string,
  targets: readonly Target[],
  rounds: Map<string, Round[]>,
): void {
  report(title);
  report(
    '  target                req/s   req/s a core   CPU ms/req   p50 ms   p99 ms   added p50   first ms   added first   k chunks/s   RSS MB',
  );
  const of = (name: string, pick: (round: Round) => number): number => median((rounds.get(name) ?? []).map(pick));
  const direct = { p50: of('direct', (r) => r.p50Ms), first: of('direct', (r) => r.firstMs) };
  for (const { name, child } of targets) {
    if (rounds.get(name)?.length === 0) {
      report(`  ${name.padEnd(18)} does not answer this kind of request`);
      continue;
    }
    const cpu = of(name, (r) => r.cpuSeconds / r.count);
    const cells = [
      of(name, (r) => r.count / r.seconds)
        .toFixed(0)
        .padStart(7),
      (cpu > 0 ? (1 / cpu).toFixed(0) : '–').padStart(14),
      (cpu > 0 ? (cpu * 1000).toFixed(3) : '–').padStart(12),
      of(name, (r) => r.p50Ms)
        .toFixed(2)
        .padStart(8),
      of(name, (r) => r.p99Ms)
        .toFixed(2)
        .padStart(8),
      (of(name, (r) => r.p50Ms) - direct.p50).toFixed(2).padStart(11),
      of(name, (r) => r.firstMs)
        .toFixed(2)
        .padStart(10),
      (of(name, (r) => r.firstMs) - direct.first).toFixed(2).padStart(13),
      (of(name, (r) => r.chunks / r.seconds) / 1000).toFixed(1).padStart(12),
      (child ? residentMegabytes(child).toFixed(0) : '–').padStart(8),
    ];
    report(`  ${name.padEnd(18)} ${cells.join(' ')}`);
  }
  if (!rounds.get('portkey')?.length) return;
  const ratio = (name: string, pick: (round: Round) => number): number => of(name, pick) / of('portkey', pick);
  for (const name of ['ours, platform', 'ours, own key']) {
    const added = (of(name, (r) => r.p50Ms) - direct.p50) / (of('portkey', (r) => r.p50Ms) - direct.p50);
    const first = (of(name, (r) => r.firstMs) - direct.first) / (of('portkey', (r) => r.firstMs) - direct.first);
    report(
      `  ${name} against portkey: ${ratio(name, (r) => r.count / r.cpuSeconds).toFixed(2)}× req/s a core (target ≥ 5×), added p50 ${added.toFixed(2)}× (target ≤ 0.7×), added time to first byte ${first.toFixed(2)}× (target ≤ 0.1× in streams)`,
    );
  }
}

function compareWithAims(title: string, rounds: Map<string, Round[]>): Aim[] {
  const wanted = AIMS[title] ?? { cpu: Infinity };
  const of = (name: string, pick: (round: Round) => number): number => median((rounds.get(name) ?? []).map(pick));
  const cpu = (name: string): number => of(name, (r) => r.cpuSeconds / r.count);
  return ['ours, platform', 'ours, own key'].flatMap((name) => {
    const work = `${title}; ${name}`;
    const added = of(name, (r) => r.p50Ms) - of('direct', (r) => r.p50Ms);
    const first = of(name, (r) => r.firstMs) - of('direct', (r) => r.firstMs);
    return [
      { work, figure: cpu(name) / cpu('passthrough'), unit: '× passthrough', atMost: wanted.cpu },
      ...(wanted.added === undefined ? [] : [{ work, figure: added, unit: 'ms added', atMost: wanted.added }]),
      ...(wanted.first === undefined ? [] : [{ work, figure: first, unit: 'ms to first', atMost: wanted.first }]),
    ];
  });
}

/** Undefined when the target could not answer at all. */
async function measure(
  { url, headers, child }: Target,
  connections: number,
  stream: boolean,
): Promise<Round | undefined> {
  const before = cpuSeconds(child);
  const load = start(OTHER_CORES, [
    ROLES_FILE,
    'load',
    url,
    JSON.stringify(headers),
    String(connections),
    String(stream),
  ]);
  let output = '';
  load.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => load.once('close', resolve));
  return output === ''
    ? undefined
    : { ...(JSON.parse(output) as Omit<Round, 'cpuSeconds'>), cpuSeconds: cpuSeconds(child) - before };
}

async function startPassthrough(upstream: string, children: ChildProcess[]): Promise<Target> {
  const port = await freePort();
  const child = start(PROXY_CORE, [ROLES_FILE, 'passthrough', String(port), upstream]);
  children.push(child);
  return { name: 'passthrough', url: `http://127.0.0.1:${port}`, headers: {}, child };
}

async function startPortkey(upstream: string, children: ChildProcess[]): Promise<Target> {
  const home = join(ROOT, '.cache', 'portkey-1.15.2');
  const program = join(home, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
  if (!existsSync(program)) {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, ...PORTKEY }));
    execFileSync('npm', ['install', '--loglevel=error', '--no-audit', '--no-fund'], { cwd: home, stdio: 'ignore' });
  }
  const port = await freePort();
  const child = start(PROXY_CORE, [program, `--port=${port}`, '--headless']);
  children.push(child);
  return {
    name: 'portkey',
    url: `http://127.0.0.1:${port}`,
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
      authorization: 'Bearer sk-bench',
    },
    child,
  };
}

/** Two web processes on one database: one pays from platform credit, the other with the organization's own key. */
async function startOurs(postgres: BenchPostgres, upstream: string, children: ChildProcess[]): Promise<Target[]> {
  const wrappingKey = randomBytes(32);
  const db = await postgres.openMigrated();
  const port = await freePort();
  const environment = {
    SERVICE_WEB_PORT: String(port),
    SERVICE_UPSTREAM_DB: postgres.url,
    SERVICE_DB_SCHEMA: 'bench',
    AUTH_SECRET: SECRET,
    SERVICE_LOG_LEVEL: 'warn',
    OPENAI_API_KEY: 'sk-bench',
    OPENAI_API_URL: upstream,
    BYOK_ENCRYPTION_KEY_B64: wrappingKey.toString('base64'),
    SERVICE_CHAT_REQUESTS_PER_MINUTE: '1000000',
    NODE_ENV: 'production',
  };
  const child = start(PROXY_CORE, [...PROFILING, join(ROOT, 'dist', 'web.js')], environment);
  children.push(child);
  const targets: Target[] = [];
  for (const name of ['ours, platform', 'ours, own key']) {
    const userId = `usr_${targets.length}`;
    await db.query('insert into :schema.identity_user (id, name, email) values ($1, $1, $2)', [
      userId,
      `${userId}@example.test`,
    ]);
    const { organization, workspaces } = await createOrganization(db, userId, { name });
    await db.query('update :schema.organization set signup_credit_micros = 1000000000000 where id = $1', [
      organization.id,
    ]);
    if (name === 'ours, own key') {
      const address = { organizationId: organization.id, workspaceId: workspaces.default.id, provider: 'openai' };
      const { ciphertext, iv, authTag } = seal(wrappingKey, 'sk-own', providerKeyContext(address));
      await db.query(
        "insert into :schema.org_provider_api_key (organization_id, workspace_id, provider, ciphertext, iv, auth_tag, key_version, fingerprint) values ($1, $2, 'openai', $3, $4, $5, 1, '-')",
        [organization.id, workspaces.default.id, ciphertext, iv, authTag],
      );
    }
    const token = await new SignJWT({ org: organization.id, scope: 'chat' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setJti(`jti_${userId}`)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(Buffer.from(SECRET));
    targets.push({ name, url: `http://127.0.0.1:${port}`, headers: { authorization: `Bearer ${token}` }, child });
  }
  await db.close();
  return targets;
}

function start(core: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  const pinned = existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', core] : [];
  const [command = process.execPath, ...rest] = [
    ...pinned,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    ...args,
  ];
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...environment } });
}
