// servicectl admin support: one archive about a deployment that can be given away. Each file of it is a row of the table
// below, with its own time limit, so that it is made however much of the service is down.
import { open, statfs } from 'node:fs/promises';
import { arch, availableParallelism, freemem, hostname, loadavg, release, totalmem, uptime } from 'node:os';
import { processEnvironment } from '../../../base/config.ts';
import { type TarEntry, writeTarGz } from '../../../base/write-tar.ts';
import { buildInfo } from '../../../process/build-info.ts';
import { reasonOf } from '../../../timing/database-fault.ts';
import { askBuilds, processesOf } from '../doctor/build-checks.ts';
import { type Deployment, openDeployment } from '../doctor/deployment.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { CHECKS } from '../doctor/checks.ts';
import { OperatorError } from '../operator-error.ts';
import { describeSettings } from './describe-settings.ts';
import { readProcesses, readSchema, readServer, readTables, readWork } from './read-database.ts';
import { readLogs } from './read-logs.ts';
import { readBroker, readMetrics } from './read-parts.ts';
import { type Scrub, scrubOf, scrubValue } from './scrub.ts';

export interface SupportRequest {
  readonly file: string;
  /** Further log files to read. */
  readonly logs: readonly string[];
  readonly bundle?: string | undefined;
  readonly dataDirectory?: string | undefined;
}

interface Reading extends SupportRequest {
  readonly deployment: Deployment;
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly scrub: Scrub;
}

interface Row {
  readonly about: string;
  readonly read: (reading: Reading) => unknown;
}

/** A name without an ending is a directory, whose files are what was read. */
const FILES: Readonly<Record<string, Row>> = {
  'versions.json': { about: 'the build of this program, and of every running part', read: readVersions },
  'platform.json': { about: 'the system, its processors, memory and disk', read: readPlatform },
  'settings.json': {
    about:
      'which variables are set, and from where; values only of those that cannot be a secret, a name or an address',
    read: ({ deployment, given }) => describeSettings(deployment, given),
  },
  'doctor.json': { about: 'what servicectl doctor found', read: ({ deployment }) => readDoctor(deployment) },
  'processes.json': {
    about: 'the process table; hosts are numbered',
    read: ({ deployment }) => readProcesses(deployment),
  },
  'schema.json': { about: 'the migrations that are applied', read: ({ deployment }) => readSchema(deployment) },
  'tables.json': { about: 'sizes and row counts of the tables', read: ({ deployment }) => readTables(deployment) },
  'server.json': {
    about: 'settings and connections of PostgreSQL',
    read: ({ deployment }) => readServer(deployment),
  },
  'work.json': { about: 'counts of runs and receipts', read: ({ deployment }) => readWork(deployment) },
  'broker.json': { about: 'the queues of the broker', read: ({ deployment }) => readBroker(deployment) },
  metrics: {
    about: 'the metrics page of every part that answers',
    read: ({ deployment, scrub }) => readMetrics(deployment, scrub),
  },
  logs: {
    about: 'the end of the logs: times, levels, messages and codes; texts of other programs are left out',
    read: ({ deployment, logs, scrub }) => readLogs(deployment, logs, scrub),
  },
};

/** The doctor has a limit for every check, and is slow where many parts do not answer. */
const DOCTOR_MS = 180_000;
const SECTION_MS = 30_000;
const CLOSE_MS = 5_000;
const PRIVATE = 0o600;

export async function writeSupport(
  request: SupportRequest,
): Promise<{ file: string; bytes: number; files: number; missing: readonly string[] }> {
  const given = processEnvironment();
  const { dataDirectory, bundle } = request;
  const deployment = await openDeployment(
    dataDirectory === undefined ? given : { ...given, SERVICE_DATA_DIR: dataDirectory },
    { bundle, production: false },
  );
  try {
    const { entries, missing } = await readAll({
      ...request,
      deployment,
      given,
      scrub: scrubOf(deployment, hostname()),
    });
    const archive = writeTarGz(entries, Math.floor(Date.now() / 1_000));
    await save(request.file, archive);
    return { file: request.file, bytes: archive.length, files: entries.length, missing };
  } finally {
    // A connection that hangs must not keep the bundle from the operator.
    await within(CLOSE_MS, deployment.close()).catch(() => {});
  }
}

async function readAll(reading: Reading): Promise<{ entries: TarEntry[]; missing: readonly string[] }> {
  const missing: string[] = [];
  const found = await Promise.all(
    Object.entries(FILES).map(async ([name, { read }]): Promise<TarEntry[]> => {
      try {
        const limitMs = name === 'doctor.json' ? DOCTOR_MS : SECTION_MS;
        return entriesOf(name, await within(limitMs, Promise.resolve(reading).then(read)), reading.scrub);
      } catch (error) {
        missing.push(name);
        // Only the code: the message of an error may contain an address.
        return entriesOf(name, { missing: reasonOf(error) }, reading.scrub);
      }
    }),
  );
  missing.sort();
  return { entries: [{ path: 'support/README', content: readme(missing), mode: PRIVATE }, ...found.flat()], missing };
}

function entriesOf(name: string, value: unknown, scrub: Scrub): TarEntry[] {
  const entry = (path: string, text: string): TarEntry => ({
    path: `support/${path}`,
    content: Buffer.from(text),
    mode: PRIVATE,
  });
  if (name.includes('.')) return [entry(name, `${JSON.stringify(scrubValue(value, scrub), undefined, 2)}\n`)];
  // Scrubbed line by line where they were read.
  return Object.entries(value as Record<string, string>).map(([part, text]) => entry(`${name}/${part}.txt`, text));
}

function readme(missing: readonly string[]): Buffer {
  const rows = Object.entries(FILES).map(
    ([name, { about }]) => `${name.padEnd(16)} ${about}${missing.includes(name) ? ' (could not be read)' : ''}`,
  );
  return Buffer.from(
    `${[
      'Support bundle, written by servicectl admin support.',
      '',
      'It has no secrets, no names or addresses of people and organizations, and no content: no chats, objectives, prompts',
      'or files. Look through it before you send it: every file is plain text.',
      '',
      ...rows,
    ].join('\n')}\n`,
  );
}

async function readVersions({ deployment }: Reading): Promise<unknown> {
  const [stored, answering] = await Promise.all([processesOf(deployment).catch(() => []), askBuilds(deployment)]);
  return { program: buildInfo(), node: process.version, parts: [...stored, ...answering] };
}

async function readPlatform({ deployment }: Reading): Promise<unknown> {
  const disk = await statfs(deployment.directory).catch(() => undefined);
  return {
    system: process.platform,
    release: release(),
    architecture: arch(),
    processors: availableParallelism(),
    load: loadavg(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    uptimeSeconds: Math.round(uptime()),
    asRoot: process.getuid?.() === 0,
    ...(disk === undefined ? {} : { diskBytes: disk.blocks * disk.bsize, freeDiskBytes: disk.bavail * disk.bsize }),
    stack: deployment.stack !== undefined,
  };
}

/** What a check says of an organization, a person or a host stays here. */
async function readDoctor(deployment: Deployment): Promise<unknown> {
  const { findings, ...rest } = await runChecks(deployment);
  return {
    ...rest,
    findings: findings.map(({ check, level, ...said }) =>
      CHECKS[check]?.names === true ? { check, level } : { check, level, ...said },
    ),
  };
}

async function save(file: string, bytes: Buffer): Promise<void> {
  try {
    const handle = await open(file, 'wx', PRIVATE);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new OperatorError(`${file} already exists`, 'Give another name with --out.')
      : new OperatorError(`${file} cannot be written (${code ?? 'failed'})`, 'Give another name with --out.');
  }
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
