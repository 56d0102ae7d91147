// Restores a backup into an empty database and an empty data directory, and nowhere else. The backup is verified first;
// the database is restored in one transaction, so that a failure leaves it empty.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../../base/config.ts';
import { splitHosts } from '../../../base/postgres-hosts.ts';
import { dataDirectory } from '../../../net/addresses.ts';
import { releaseDirectory } from '../../../process/package-root.ts';
import { readMigrations } from '../../../store/migrate.ts';
import { schemaName } from '../../../store/schema-name.ts';
import { OperatorError } from '../operator-error.ts';
import { copyFileAsItIs } from './copy-file.ts';
import { BUNDLE_COPY, DATA, DATABASE_DUMP, type Manifest, PROVIDER_DUMP, readManifest } from './manifest.ts';
import { runTool } from './run-tool.ts';
import { providerUrl } from './take-backup.ts';
import { verifyBackup, type VerifiedBackup } from './verify-backup.ts';

export interface RestoreRequest {
  readonly directory: string;
  readonly provider?: string | undefined;
}

export interface RestoredBackup extends VerifiedBackup {
  readonly dataDirectory: string;
  readonly schema: string;
  /** Where the bundle of the backup is, if it has one. */
  readonly bundle?: string;
}

export async function restoreBackup({ directory: given, provider }: RestoreRequest): Promise<RestoredBackup> {
  const directory = resolve(given);
  const { manifest } = await readManifest(directory);
  const has = (name: string): boolean => manifest.files.some(({ path }) => path === name);
  const config = readConfig();
  const [url, data] = [config.SERVICE_UPSTREAM_DB, dataDirectory(config)];
  if (url === undefined)
    throw new OperatorError('SERVICE_UPSTREAM_DB is not set', 'Set it to an empty database of the new deployment.');
  if (splitHosts(url).length > 1)
    throw new OperatorError('SERVICE_UPSTREAM_DB names several hosts', 'Name the primary alone, to restore into it.');
  if (schemaName(config) !== manifest.schema)
    throw new OperatorError(
      `the backup has the schema ${manifest.schema}, and this environment names ${schemaName(config)}`,
      `Set SERVICE_DB_SCHEMA=${manifest.schema}, here and for every part.`,
    );
  if (provider !== undefined && !has(PROVIDER_DUMP))
    throw new OperatorError("the backup does not have the provider's database", 'Run it without --provider.');
  await refuseNewer(manifest);
  await requireEmptyDirectory(data);
  await requireEmptyDatabase(url, 'SERVICE_UPSTREAM_DB');
  const theirs = provider === undefined ? undefined : providerUrl(provider);
  if (provider !== undefined && theirs !== undefined) await requireEmptyDatabase(theirs, provider);

  const verified = await verifyBackup(directory);
  if (!verified.ok)
    throw new OperatorError(`the backup is damaged: ${verified.faults[0]}`, 'Use another one; nothing was restored.');
  // First, because more can go wrong with it, such as an extension: then nothing else has been restored.
  if (theirs !== undefined) await restoreDump(join(directory, PROVIDER_DUMP), theirs);
  await restoreFiles(directory, data, manifest);
  await restoreDump(join(directory, DATABASE_DUMP), url).catch(async (error: unknown) => {
    for (const name of await readdir(data)) await rm(join(data, name), { recursive: true });
    throw error;
  });
  return {
    ...verified,
    dataDirectory: data,
    schema: manifest.schema,
    ...(has(BUNDLE_COPY) ? { bundle: join(directory, BUNDLE_COPY) } : {}),
  };
}

function restoreDump(path: string, url: string): Promise<void> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const args = [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    '--no-privileges',
    `--dbname=${database}`,
    path,
  ];
  return runTool({ program: 'pg_restore', args, url });
}

async function restoreFiles(directory: string, data: string, { files }: Manifest): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 });
  for (const { path, sha256 } of files) {
    if (!path.startsWith(`${DATA}/`)) continue;
    const copied = await copyFileAsItIs(join(directory, path), join(data, path.slice(DATA.length + 1)));
    if (copied?.sha256 !== sha256) throw new OperatorError(`${path} changed while it was restored`, 'Restore again.');
  }
}

async function refuseNewer({ migrations, version }: Manifest): Promise<void> {
  const { numbered } = await readMigrations(releaseDirectory('migrations'));
  if (migrations > numbered.length)
    throw new OperatorError(
      `the backup is of version ${version}, whose database has ${migrations} migrations; this build knows ${numbered.length}`,
      `Restore it with version ${version} or a newer one.`,
    );
}

async function requireEmptyDirectory(data: string): Promise<void> {
  const found = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (found.length > 0)
    throw new OperatorError(`the data directory ${data} is not empty`, 'Name a new one in SERVICE_DATA_DIR.');
}

async function requireEmptyDatabase(url: string, variable: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_class c join pg_namespace s on s.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'S') and s.nspname !~ '^(pg_|information_schema$)'",
    );
    if ((rows[0]?.n ?? 0) > 0)
      throw new OperatorError(`the database in ${variable} is not empty`, 'Create a new one, and name it there.');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    throw new OperatorError(`the database in ${variable} cannot be reached (${code})`, `Correct ${variable}.`);
  } finally {
    await client.end().catch(() => {});
  }
}
