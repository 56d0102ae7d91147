// What one PostgreSQL holds: chat requests through real web processes, admissions with their settlements, receipts and
// runs recorded, each with 1, 2 and 4 processes. On a small machine the cores are the limit, not PostgreSQL: so the
// processor time per request of PostgreSQL and of its clients is measured apart, and from it follows at which rate one
// core of PostgreSQL is full. At last, which statement takes most of that time.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/support/free-port.ts';
import { CONNECT_SECRET, createPlaces } from './peers/hot-operations.ts';
import type { LoadOrder, LoadResult, RoleOptions } from './peers/scale-role.ts';
import { type BenchPostgres, startPostgres } from './support/postgres.ts';
import { cpuSeconds, listening } from './support/processes.ts';
import { COST_SETTINGS, type CostReader, openCostReader, type ServerCost } from './support/server-cost.ts';

const PROCESSES = [1, 2, 4];
const CALLERS = 64;
const WARM_UP_MS = 1_500;
const ROUND_MS = 4_000;
const ORGANIZATIONS = 100;
const SCHEMA = 'bench';
const PEERS = join(import.meta.dirname, 'peers');
const WEB = join(import.meta.dirname, '..', 'dist', 'web.js');
const QUIET = '--disable-warning=ExperimentalWarning';

interface Load {
  readonly title: string;
  readonly work: 'chat' | 'budget' | 'receipts' | 'runs';
  /** What is counted. */
  readonly unit: string;
  readonly organizations: number;
  /** Whether each process works for organizations of its own, as a worker does; web processes share them. */
  readonly split?: boolean;
}

const LOADS: readonly Load[] = [
  { title: 'chat over HTTP, web processes', work: 'chat', unit: 'requests', organizations: ORGANIZATIONS },
  { title: 'admission and settlement', work: 'budget', unit: 'requests', organizations: ORGANIZATIONS },
  { title: 'the same, one organization', work: 'budget', unit: 'requests', organizations: 1 },
  { title: 'receipts appended', work: 'receipts', unit: 'receipts', organizations: ORGANIZATIONS, split: true },
  { title: 'the same, streams of all processes', work: 'receipts', unit: 'receipts', organizations: ORGANIZATIONS },
  { title: 'runs recorded: three receipts', work: 'runs', unit: 'runs', organizations: ORGANIZATIONS },
];

interface Bench {
  readonly postgres: BenchPostgres;
  readonly cost: CostReader;
  readonly report: (line: string) => void;
  /** Files with the places, by how many organizations they are. */
  readonly places: ReadonlyMap<number, string>;
}

interface Round {
  readonly rate: number;
  /** Processor seconds per unit. */
  readonly postgres: number;
  readonly web: number;
  readonly clients: number;
  readonly server: ServerCost;
  readonly count: number;
  readonly seconds: number;
}

export async function bench(report: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  const postgres = await startPostgres(COST_SETTINGS);
  try {
    const cost = await openCostReader(postgres.adminUrl, postgres.url);
    const bench = { postgres, cost, report, places: await writePlaces(postgres, directory) };
    for (const load of LOADS) await curve(bench, load);
    await cost.close();
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function writePlaces(postgres: BenchPostgres, directory: string): Promise<Map<number, string>> {
  const db = await postgres.openMigrated({ schema: SCHEMA });
  const places = await createPlaces(db, { count: ORGANIZATIONS, capped: false });
  await db.close();
  const files = new Map<number, string>();
  for (const count of new Set(LOADS.map(({ organizations }) => organizations))) {
    const file = join(directory, `${count}.json`);
    await writeFile(file, JSON.stringify(places.slice(0, count)));
    files.set(count, file);
  }
  return files;
}

async function curve(bench: Bench, load: Load): Promise<void> {
  const { report } = bench;
  report(`${load.title}, ${CALLERS} callers`);
  report(`  ${COLUMNS.map(([title]) => title).join('   ')}`);
  for (const processes of PROCESSES) {
    const round = await run(bench, load, processes);
    const cells = COLUMNS.map(([title, cell]) => cell(round, processes).padStart(title.length));
    report(`  ${cells.join('   ')}`);
  }
  await explain(bench, load);
}

const micros = (seconds: number): string => (seconds > 0 ? (seconds * 1e6).toFixed(0) : '–');
const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;

/** The last two are modelled: the measured cost of one, on a core or a disk that does nothing else. */
const COLUMNS: readonly (readonly [title: string, cell: (round: Round, processes: number) => string])[] = [
  ['processes', (_, processes) => String(processes)],
  ['measured', ({ rate }) => perSecond(rate)],
  ['PostgreSQL µs', ({ postgres }) => micros(postgres)],
  ['web µs', ({ web }) => micros(web)],
  ['callers µs', ({ clients }) => micros(clients)],
  ['per statement', ({ server, count }) => perStatement(server, count).toFixed(1)],
  ['WAL bytes', ({ server, count }) => (server.walBytes / count).toFixed(0)],
  ['flushes/s', ({ server, seconds }) => (server.flushes / seconds).toFixed(0)],
  ['ms a flush', ({ server }) => (server.flushMs / server.flushes).toFixed(2)],
  ['PostgreSQL core full', ({ postgres }) => perSecond(1 / postgres)],
  ['disk full', ({ server, count }) => perSecond((count / server.flushMs) * 1_000)],
];

/** Of the statement that is sent most often. */
function perStatement({ statements }: ServerCost, count: number): number {
  return count / Math.max(1, ...statements.map(({ calls }) => calls));
}

/** One process, so that statements wait little for each other. What they do wait for a lock is in their time. */
async function explain(bench: Bench, load: Load): Promise<void> {
  const { server, count } = await run(bench, load, 1, true);
  const lines = server.statements.slice(0, 6).map(({ text, calls, milliseconds }) => {
    const shown = text.replaceAll(/\s+/g, ' ').replaceAll(`"${SCHEMA}".`, '').replaceAll(`${SCHEMA}.`, '').slice(0, 90);
    return `    ${((milliseconds * 1_000) / count).toFixed(1).padStart(7)} µs per one of the ${load.unit}, ${(milliseconds / calls).toFixed(2)} ms a call: ${shown}`;
  });
  bench.report('  statements by time, those inside of others as well, waits for locks included');
  for (const line of lines) bench.report(line);
}

async function run(bench: Bench, load: Load, processes: number, nested = false): Promise<Round> {
  const { postgres, cost, places } = bench;
  const children: ChildProcess[] = [];
  try {
    const targets = load.work === 'chat' ? await startWeb(postgres, processes, children) : [];
    const web = children.slice(1);
    const options = { url: postgres.url, schema: SCHEMA, places: places.get(load.organizations) ?? '', targets };
    const roles = load.work === 'chat' ? 1 : processes;
    const shareOf = (n: number): RoleOptions['share'] => (load.split ? { of: roles, at: n } : { of: 1, at: 0 });
    const loaders = await Promise.all(
      Array.from({ length: roles }, (_, n) => startRole(load.work, { ...options, share: shareOf(n) }, children)),
    );
    const callers = Math.ceil(CALLERS / roles);
    await all(loaders, { ms: WARM_UP_MS, callers });
    await cost.start(nested);
    const before = [cpuSeconds(postgres), sum(web.map(cpuSeconds))] as const;
    const results = await all(loaders, { ms: ROUND_MS, callers });
    const [count, seconds] = [sum(results.map((r) => r.count)), Math.max(...results.map((r) => r.seconds))];
    return {
      count,
      seconds,
      rate: count / seconds,
      postgres: (cpuSeconds(postgres) - before[0]) / count,
      web: (sum(web.map(cpuSeconds)) - before[1]) / count,
      clients: sum(results.map((r) => r.cpuSeconds)) / count,
      server: await cost.read(),
    };
  } finally {
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function all(loaders: readonly ChildProcess[], order: LoadOrder): Promise<LoadResult[]> {
  return Promise.all(
    loaders.map(async (loader) => {
      loader.send(order);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      return result;
    }),
  );
}

async function startRole(work: string, options: RoleOptions, children: ChildProcess[]): Promise<ChildProcess> {
  const child = fork(join(PEERS, 'scale-role.ts'), [work, JSON.stringify(options)], { execArgv: [QUIET] });
  children.push(child);
  await once(child, 'message');
  return child;
}

/** The model provider first, then the web processes. Returns where these listen. */
async function startWeb(postgres: BenchPostgres, processes: number, children: ChildProcess[]): Promise<string[]> {
  const provider = await freePort();
  children.push(spawn(process.execPath, [QUIET, join(PEERS, 'chat-roles.ts'), 'upstream', String(provider)]));
  const ports: number[] = [];
  for (let n = 0; n < processes; n++) {
    const port = await freePort();
    const environment = {
      ...process.env,
      SERVICE_WEB_PORT: String(port),
      SERVICE_UPSTREAM_DB: postgres.url,
      SERVICE_DB_SCHEMA: SCHEMA,
      AUTH_SECRET: CONNECT_SECRET,
      SERVICE_LOG_LEVEL: 'warn',
      OPENAI_API_KEY: 'sk-bench',
      OPENAI_API_URL: `http://127.0.0.1:${provider}`,
      SERVICE_CHAT_REQUESTS_PER_MINUTE: '1000000',
      NODE_ENV: 'production',
    };
    children.push(spawn(process.execPath, [WEB], { stdio: 'ignore', env: environment }));
    ports.push(port);
  }
  await Promise.all([provider, ...ports].map(listening));
  return ports.map((port) => `http://127.0.0.1:${port}`);
}
