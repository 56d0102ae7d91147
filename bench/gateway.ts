// The gateway compared with a bare node:http + undici passthrough and with nginx: same upstream, same load, rounds in
// turn. Each proxy is a process on one core. The figure is requests per second of processor time, which is least
// affected by other work on the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { freePort } from '../test/support/free-port.ts';
import { median } from './support/median.ts';
import { cpuSeconds, listening } from './support/processes.ts';

const ROUNDS = 9;
const ROUND_MS = 1_500;
const CONNECTIONS = 50;
const BODY_BYTES = 2_048;
const NGINX = '/usr/sbin/nginx';
const PROXY_CORE = '0';
const OTHER_CORES = '1';
const TARGETS = { passthrough: 0.9, nginx: 0.25 } as const;
const REQUEST_HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'accept-language': 'en',
  authorization: 'Bearer 0123456789',
  cookie: 'session=0123456789abcdef',
  'user-agent': 'bench',
};

interface Proxy {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
}

interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function bench(report: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
  const children: ChildProcess[] = [];
  try {
    const upstreamPort = await freePort();
    children.push(start(OTHER_CORES, process.execPath, [import.meta.filename, 'upstream', String(upstreamPort)]));
    const proxies = [
      await startGateway(upstreamPort),
      await startPassthrough(upstreamPort),
      ...(existsSync(NGINX) ? [await startNginx(upstreamPort, directory)] : []),
    ];
    children.push(...proxies.map(({ child }) => child));
    await Promise.all([upstreamPort, ...proxies.map(({ port }) => port)].map(listening));

    for (const method of ['GET', 'POST']) {
      for (const proxy of proxies) await measure(proxy, method);
      const rounds = new Map(proxies.map(({ name }) => [name, [] as Round[]]));
      for (let round = 0; round < ROUNDS; round++)
        for (const proxy of proxies) rounds.get(proxy.name)?.push(await measure(proxy, method));
      print(report, method, rounds);
    }
    if (!existsSync(NGINX)) report('nginx is not installed: not measured');
  } finally {
    for (const child of children) child.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

function print(report: (line: string) => void, method: string, rounds: Map<string, Round[]>): void {
  report(`gateway, ${method} of ${BODY_BYTES} bytes, ${CONNECTIONS} connections, median of ${ROUNDS} rounds`);
  report('  proxy         req/s   req/s of one core   p50 ms   p99 ms');
  for (const [name, all] of rounds) {
    const of = (pick: (round: Round) => number): number => median(all.map(pick));
    const row = {
      perSecond: of((r) => r.perSecond),
      perCpuSecond: of((r) => r.perCpuSecond),
      p50Ms: of((r) => r.p50Ms),
      p99Ms: of((r) => r.p99Ms),
    };
    report(
      `  ${name.padEnd(12)} ${row.perSecond.toFixed(0).padStart(6)}   ${row.perCpuSecond.toFixed(0).padStart(17)}   ${row.p50Ms.toFixed(1).padStart(6)}   ${row.p99Ms.toFixed(1).padStart(6)}`,
    );
  }
  // Round against round of the same turn: what disturbs the machine disturbs both.
  const ratio = (name: string, pick: (round: Round) => number): number =>
    median((rounds.get(name) ?? []).map((theirs, i) => pick(rounds.get('gateway')?.[i] ?? theirs) / pick(theirs)));
  for (const [name, target] of Object.entries(TARGETS)) {
    if (!rounds.has(name)) continue;
    const ofCore = ratio(name, (r) => r.perCpuSecond);
    report(
      `  against ${name}: ${ofCore.toFixed(2)}× of a core (${ratio(name, (r) => r.perSecond).toFixed(2)}× on the clock), at least ${target}×: ${ofCore >= target ? 'held' : 'MISSED'}`,
    );
  }
}

async function measure({ port, child }: Proxy, method: string): Promise<Round> {
  const before = cpuSeconds(child);
  const load = start(OTHER_CORES, process.execPath, [import.meta.filename, 'load', String(port), method]);
  let output = '';
  load.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => load.once('close', resolve));
  const { count, seconds, p50Ms, p99Ms } = JSON.parse(output) as {
    count: number;
    seconds: number;
    p50Ms: number;
    p99Ms: number;
  };
  const cpu = cpuSeconds(child) - before;
  return { perSecond: count / seconds, perCpuSecond: count / (cpu > 0 ? cpu : seconds), p50Ms, p99Ms };
}

async function startGateway(upstreamPort: number): Promise<Proxy> {
  const port = await freePort();
  const environment = {
    SERVICE_GATEWAY_PORT: String(port),
    SERVICE_GATEWAY_HOST: '127.0.0.1',
    SERVICE_WEB_URL: `http://127.0.0.1:${upstreamPort}`,
    SERVICE_LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  };
  return {
    name: 'gateway',
    port,
    child: start(PROXY_CORE, process.execPath, [join(import.meta.dirname, '..', 'dist', 'gateway.js')], environment),
  };
}

async function startPassthrough(upstreamPort: number): Promise<Proxy> {
  const port = await freePort();
  return {
    name: 'passthrough',
    port,
    child: start(PROXY_CORE, process.execPath, [
      import.meta.filename,
      'passthrough',
      String(port),
      String(upstreamPort),
    ]),
  };
}

async function startNginx(upstreamPort: number, directory: string): Promise<Proxy> {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
  keepalive_requests 1000000;
  upstream app { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; proxy_buffering off; }
  }
}
`,
  );
  return { name: 'nginx', port, child: start(PROXY_CORE, NGINX, ['-p', directory, '-c', file]) };
}

function start(core: string, command: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  const pinned = existsSync('/usr/bin/taskset');
  return spawn(pinned ? '/usr/bin/taskset' : command, pinned ? ['-c', core, command, ...args] : args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
}

const ROLES = {
  upstream(port: number) {
    const body = Buffer.alloc(BODY_BYTES, 'a');
    const answer = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      etag: '"0123456789"',
      vary: 'origin',
    };
    createServer((req, res) => {
      req.resume();
      res.writeHead(200, answer).end(body);
    }).listen(port, '127.0.0.1');
  },
  /** The least a streaming proxy in Node can do. */
  passthrough(port: number, upstreamPort: number) {
    const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { allowH2: false });
    createServer((req, res) => {
      const { connection: _, host: __, 'content-length': length, ...headers } = req.headers;
      pool.dispatch(
        {
          method: req.method ?? 'GET',
          path: req.url ?? '/',
          headers: length === undefined ? headers : { ...headers, 'content-length': length },
          body: req.method === 'GET' ? null : req,
        },
        {
          onRequestStart() {},
          onResponseStart(_controller, status, answer) {
            delete answer['connection'];
            delete answer['keep-alive'];
            res.writeHead(status, answer);
          },
          onResponseData(controller, chunk) {
            if (res.write(chunk)) return;
            controller.pause();
            res.once('drain', () => controller.resume());
          },
          onResponseEnd() {
            res.end();
          },
          onResponseError() {
            res.destroy();
          },
        },
      );
    }).listen(port, '127.0.0.1');
  },
  async load(port: number, method: string) {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1, allowH2: false });
    const body = method === 'POST' ? Buffer.alloc(BODY_BYTES, 'b') : null;
    const latencies: number[] = [];
    const begin = performance.now();
    const end = begin + ROUND_MS;
    const one = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        pool.dispatch(
          { method, path: '/api/me?x=1', headers: REQUEST_HEADERS, body },
          {
            onRequestStart() {},
            onResponseStart(_controller, status) {
              if (status !== 200) reject(new Error(`status ${status}`));
            },
            onResponseData() {},
            onResponseEnd() {
              latencies.push(performance.now() - startedAt);
              resolve();
            },
            onResponseError(_controller, error) {
              reject(error);
            },
          },
        );
      });
    const client = async (): Promise<void> => {
      while (performance.now() < end) await one();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    const seconds = (performance.now() - begin) / 1000;
    latencies.sort((a, b) => a - b);
    const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
    process.stdout.write(JSON.stringify({ count: latencies.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }));
    await pool.destroy();
  },
};

if (import.meta.main) {
  const [role, port, other = ''] = process.argv.slice(2);
  if (role === 'upstream') ROLES.upstream(Number(port));
  else if (role === 'passthrough') ROLES.passthrough(Number(port), Number(other));
  else if (role === 'load') await ROLES.load(Number(port), other);
  else await bench((line) => void process.stdout.write(`${line}\n`));
}
