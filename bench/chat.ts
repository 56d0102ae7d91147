// Chat through the gateway's web process, every check on, against Portkey (which checks nothing), a bare Node
// passthrough and the provider itself. Each is a process of its own on one core; rounds take turns. Portkey is
// installed on demand, pinned, outside the package.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { Pool } from 'undici';
import { seal } from '../src/base/seal.ts';
import { providerKeyContext } from '../src/keys/sealed-secrets.ts';
import { findPostgresBinaries } from '../src/postgres/binaries.ts';
import { launchPostgres } from '../src/postgres/launch.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate, readMigrations } from '../src/store/migrate.ts';
import { createOrganization } from '../src/tenancy/create-organization.ts';
import { freePort } from '../test/support/free-port.ts';

const ROOT = join(import.meta.dirname, '..');
// With the newest server adapter that its range allows, Portkey fails on every stream ("immutable" headers).
const PORTKEY = { dependencies: { '@portkey-ai/gateway': '1.15.2' }, overrides: { '@hono/node-server': '1.13.7' } };
const ROUNDS = 5;
const ROUND_MS = 2_000;
const CHUNKS = 200;
const PROXY_CORE = '0';
const OTHER_CORES = '1';
const TICKS_PER_SECOND = 100;
const MODEL = 'gpt-5-nano';
/** A directory: the web process writes its processor profile there, and only it is measured. */
const PROFILE = process.env.SERVICE_BENCH_PROFILE;
/** Only the kinds of work whose title contains it. */
const ONLY = process.env.SERVICE_BENCH_ONLY ?? '';
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

export async function bench(report: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-chat-'));
  const children: ChildProcess[] = [];
  const server = await launchPostgres({
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'bench',
    adminPassword: 'bench-admin',
    logFile: join(directory, 'postgres.log'),
  });
  try {
    const upstream = `http://127.0.0.1:${await freePort()}`;
    children.push(start(OTHER_CORES, [import.meta.filename, 'upstream', new URL(upstream).port]));
    const targets: Target[] = [
      { name: 'direct', url: upstream, headers: {} },
      await startPassthrough(upstream, children),
      ...(PROFILE ? [] : [await startPortkey(upstream, children)]),
      ...(await startOurs(server.url, upstream, children)),
    ];
    await Promise.all([upstream, ...targets.map(({ url }) => url)].map(listening));

    for (const { title, connections, stream } of [
      { title: 'whole answers, 50 clients', connections: 50, stream: false },
      { title: 'whole answers, 1 client', connections: 1, stream: false },
      { title: `streams of ${CHUNKS} chunks, 50 clients`, connections: 50, stream: true },
      { title: `streams of ${CHUNKS} chunks, 1 client`, connections: 1, stream: true },
    ]) {
      if (!title.includes(ONLY)) continue;
      const rounds = new Map(targets.map(({ name }) => [name, [] as Round[]]));
      for (let round = 0; round <= ROUNDS; round++) {
        for (const target of targets) {
          const measured = await measure(target, connections, stream);
          if (round > 0 && measured) rounds.get(target.name)?.push(measured);
        }
      }
      print(report, title, targets, rounds);
    }
  } finally {
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of children) child.kill(PROFILE ? 'SIGTERM' : 'SIGKILL');
    await Promise.all(ended);
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
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

/** Undefined when the target could not answer at all. */
async function measure(
  { url, headers, child }: Target,
  connections: number,
  stream: boolean,
): Promise<Round | undefined> {
  const before = cpuSeconds(child);
  const load = start(OTHER_CORES, [
    import.meta.filename,
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
  const child = start(PROXY_CORE, [import.meta.filename, 'passthrough', String(port), upstream]);
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
async function startOurs(databaseUrl: string, upstream: string, children: ChildProcess[]): Promise<Target[]> {
  const wrappingKey = randomBytes(32);
  const db = await openDatabase({
    url: databaseUrl,
    schema: 'bench',
    poolMax: 2,
    applicationName: 'bench',
    log: pino({ level: 'silent' }),
  });
  await migrate(db, await readMigrations(join(ROOT, 'migrations')));
  const port = await freePort();
  const environment = {
    SERVICE_WEB_PORT: String(port),
    SERVICE_UPSTREAM_DB: databaseUrl,
    SERVICE_DB_SCHEMA: 'bench',
    AUTH_SECRET: SECRET,
    SERVICE_LOG_LEVEL: 'warn',
    OPENAI_API_KEY: 'sk-bench',
    OPENAI_API_URL: upstream,
    BYOK_ENCRYPTION_KEY_B64: wrappingKey.toString('base64'),
    SERVICE_CHAT_REQUESTS_PER_MINUTE: '1000000',
    NODE_ENV: 'production',
  };
  const child = start(
    PROXY_CORE,
    [...(PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`] : []), join(ROOT, 'dist', 'web.js')],
    environment,
  );
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

function cpuSeconds(child: ChildProcess | undefined): number {
  if (process.platform !== 'linux' || child?.pid === undefined) return 0;
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMegabytes(child: ChildProcess): number {
  if (process.platform !== 'linux' || child.pid === undefined) return 0;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

async function listening(url: string): Promise<void> {
  const { port } = new URL(url);
  for (let tries = 0; tries < 600; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens at ${url}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const CHUNK = (text: string): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;
const LAST = `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [], usage: { prompt_tokens: 500, completion_tokens: CHUNKS, total_tokens: 500 + CHUNKS } })}\n\ndata: [DONE]\n\n`;
const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(200) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 },
});

const ROLES: Record<string, (...args: string[]) => void> = {
  upstream(port = '') {
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (!Buffer.concat(chunks).includes('"stream":true'))
          return void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        let sent = 0;
        const more = (): void => {
          for (let burst = 0; burst < 20 && sent < CHUNKS; burst++, sent++) response.write(CHUNK(`word${sent} `));
          if (sent < CHUNKS) setImmediate(more);
          else response.end(LAST);
        };
        more();
      });
    }).listen(Number(port), '127.0.0.1');
  },
  passthrough(port = '', upstream = '') {
    const pool = new Pool(upstream, { connections: 256 });
    createServer((request, response) => {
      pool.dispatch(
        {
          method: 'POST',
          path: request.url ?? '/',
          headers: { 'content-type': 'application/json', 'content-length': request.headers['content-length'] ?? '0' },
          body: request,
        },
        {
          onRequestStart() {},
          onResponseStart: (_controller, status, headers) =>
            void response.writeHead(status, { 'content-type': String(headers['content-type']) }),
          onResponseData(controller, chunk) {
            if (response.write(chunk)) return;
            controller.pause();
            response.once('drain', () => controller.resume());
          },
          onResponseEnd: () => void response.end(),
          onResponseError: () => void response.destroy(),
        },
      );
    }).listen(Number(port), '127.0.0.1');
  },
  load(url = '', headers = '{}', connections = '1', stream = 'false') {
    const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
    const body = JSON.stringify({
      model: MODEL,
      stream: stream === 'true',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'x'.repeat(1_900) }],
    });
    const sent = { 'content-type': 'application/json', ...(JSON.parse(headers) as Record<string, string>) };
    const latencies: number[] = [];
    const firsts: number[] = [];
    let chunks = 0;
    const begin = performance.now();
    const one = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        let first = 0;
        pool.dispatch(
          { method: 'POST', path: '/v1/chat/completions', headers: sent, body },
          {
            onRequestStart() {},
            onResponseStart(_controller, status) {
              if (status !== 200) reject(new Error(`answered ${status}`));
            },
            onResponseData(_controller, chunk) {
              first ||= performance.now() - startedAt;
              if (stream === 'true')
                for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2)) chunks++;
            },
            onResponseEnd() {
              latencies.push(performance.now() - startedAt);
              firsts.push(first);
              resolve();
            },
            onResponseError: (_controller, error) => reject(error),
          },
        );
      });
    void Promise.all(
      Array.from({ length: Number(connections) }, async () => {
        while (performance.now() - begin < ROUND_MS) await one();
      }),
    ).then(() => {
      const sorted = latencies.toSorted((a, b) => a - b);
      process.stdout.write(
        JSON.stringify({
          count: latencies.length,
          seconds: (performance.now() - begin) / 1000,
          p50Ms: percentile(sorted, 0.5),
          p99Ms: percentile(sorted, 0.99),
          firstMs: median(firsts),
          chunks,
        }),
      );
      process.exit(0);
    });
  },
};

const [role, ...args] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && role !== undefined) ROLES[role]?.(...args);
