import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLastLogError } from './last-log-error.ts';

it('is the last complaint since the server was started', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'service-complaint-'));
  const log = join(directory, 'postgres.log');
  try {
    const before = '2026-01-01 00:00:00.000 UTC [7] FATAL:  of yesterday\n';
    await writeFile(log, before);
    expect(await findLastLogError(log, Buffer.byteLength(before))).toBeUndefined();
    await writeFile(
      log,
      `${before}2026-01-02 00:00:00.000 UTC [8] LOG:  starting\n2026-01-02 00:00:00.000 UTC [8] FATAL:  could not create lock file "postmaster.pid": No space left on device\nLOG:  shut down\n`,
    );
    expect(await findLastLogError(log, Buffer.byteLength(before))).toBe(
      'could not create lock file "postmaster.pid": No space left on device',
    );
    await writeFile(
      log,
      '[8] FATAL:  could not write to file "pg_wal/xlogtemp.8": No space left on device\n[9] FATAL:  the database system is not yet accepting connections\n',
    );
    expect(await findLastLogError(log, 0)).toBe('could not write to file "pg_wal/xlogtemp.8": No space left on device');
    await writeFile(log, 'initdb: error: could not access directory\ninitdb: hint: none\n');
    expect(await findLastLogError(log, 0)).toBe('could not access directory');
    expect(await findLastLogError(join(directory, 'none.log'), 0)).toBeUndefined();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
