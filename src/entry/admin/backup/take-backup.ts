// A backup of a running service. The database is one snapshot (pg_dump). Checkpoints are copied before it, so that none
// names a receipt that the snapshot does not have; everything else after it, because a row is written after its files.
import { copyFile, chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { completeEnvironment, readConfig } from '../../../base/config.ts';
import { dataDirectory } from '../../../net/addresses.ts';
import { buildInfo } from '../../../process/build-info.ts';
import { APPLIED } from '../../../store/migrate.ts';
import { openStorage } from '../../../store/open-storage.ts';
import { createLog } from '../../../telemetry/log.ts';
import { OperatorError } from '../operator-error.ts';
import { copyFileAsItIs } from './copy-file.ts';
import {
  BUNDLE_COPY,
  DATA,
  DATABASE_DUMP,
  type Entry,
  filesBelow,
  hashFile,
  PROVIDER_DUMP,
  writeManifest,
} from './manifest.ts';
import { runTool } from './run-tool.ts';

export interface BackupRequest {
  readonly directory: string;
  /** A secrets bundle to include. */
  readonly bundle?: string | undefined;
  /** The variable with the URL of the integration provider's database, to include it. */
  readonly provider?: string | undefined;
}

export interface TakenBackup {
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
  readonly sha256: string;
}

const CHECKPOINTS = 'checkpoints/';
/** The embedded server's files are in the dump; the others are of processes that run now. */
const LEFT_OUT = /^(?:postgres|logs|packets|tools)\/|^stack\.(?:json|lock)$/;

export async function takeBackup({ directory: given, bundle, provider }: BackupRequest): Promise<TakenBackup> {
  const directory = resolve(given);
  if (await stat(directory).catch(() => undefined))
    throw new OperatorError(`${directory} is there already`, 'Name a directory that does not exist yet.');
  const config = readConfig();
  const { SERVICE_UPSTREAM_DB: url } = config;
  if (url === undefined)
    throw new OperatorError(
      'SERVICE_UPSTREAM_DB is not set',
      'Set it as the service has it, and SERVICE_DATA_DIR too.',
    );
  const source = dataDirectory(config);
  const db = await openStorage(
    config,
    'servicectl-backup',
    createLog('servicectl', { ...config, SERVICE_LOG_LEVEL: 'silent' }),
  );
  const { schema } = db;
  const { rows: applied } = await db.query(APPLIED);
  await db.close();
  const migrations = applied.length;

  const made = `${directory}.${process.pid}.partial`;
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(made, { mode: 0o700 });
  try {
    const files = await copyData(source, made, (path) => path.startsWith(CHECKPOINTS));
    files.push(await dump(url, made, DATABASE_DUMP));
    files.push(...(await copyData(source, made, (path) => !path.startsWith(CHECKPOINTS))));
    if (provider !== undefined) files.push(await dump(providerUrl(provider), made, PROVIDER_DUMP));
    if (bundle !== undefined) files.push(await copyBundle(bundle, made));
    const createdAt = new Date().toISOString();
    const sha256 = await writeManifest(made, { ...buildInfo(), createdAt, schema, migrations, files });
    await rename(made, directory);
    return { directory, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), sha256 };
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function copyData(source: string, made: string, isWanted: (path: string) => boolean): Promise<Entry[]> {
  const copied: Entry[] = [];
  for await (const path of filesBelow(source)) {
    if (LEFT_OUT.test(path) || !isWanted(path)) continue;
    // A run may remove its files meanwhile.
    const found = await copyFileAsItIs(join(source, path), join(made, DATA, path));
    if (found) copied.push({ path: join(DATA, path), ...found });
  }
  return copied;
}

async function dump(url: string, made: string, name: string): Promise<Entry> {
  const path = join(made, name);
  await runTool({ program: 'pg_dump', args: ['--format=custom', '--no-owner', `--file=${path}`], url });
  await chmod(path, 0o600);
  return { path: name, ...(await hashFile(path)), mode: 0o600 };
}

async function copyBundle(bundle: string, made: string): Promise<Entry> {
  const path = join(made, BUNDLE_COPY);
  await copyFile(bundle, path).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`the bundle cannot be copied (${error.code})`, 'Name a file that you may read.');
  });
  await chmod(path, 0o600);
  return { path: BUNDLE_COPY, ...(await hashFile(path)), mode: 0o600 };
}

export function providerUrl(variable: string): string {
  const url = completeEnvironment()[variable]?.trim() ?? '';
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return url;
  throw new OperatorError(
    `${variable} does not have the URL of a database`,
    "Put the URL of the integration provider's database there, of a role that may read all of it.",
  );
}
