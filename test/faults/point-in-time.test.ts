// Someone drops what the service has. From a base backup and the archived log, the database goes back to the moment
// before; the data directory is as it is, and tells of what came after that moment.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCheckpoints } from '../../src/entry/admin/doctor/checkpoint-check.ts';
import type { Deployment } from '../../src/entry/admin/doctor/deployment.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import {
  type Cluster,
  clusterSkipReason,
  createServiceCluster,
  startCluster,
  takeBaseBackup,
} from '../support/faults/postgres-cluster.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { expectAllEndedOnce, startRuns } from '../support/runs/run-faults.ts';
import { openRuntimeStand, type Part, type RuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';

const SCHEMA = 'recovery';
const COVERED = `
  select from :schema.job j join :schema.receipt_checkpoint_head h on h.stream = 'jobs/' || j.id and h.idx = j.head_idx
   where j.id = any($1)`;
const LAST_CHECKPOINT = "select lpad(max(id)::text, 12, '0') as id from :schema.receipt_checkpoint";
const PARTS = ['broker', 'api', 'driver', 'worker-chat', 'worker-control'] as const satisfies Part[];

describe('recovery to a point in time', leaveOut(clusterSkipReason), () => {
  let directory: string;
  let archive: string;
  let primary: Cluster;
  let restored: Cluster | undefined;
  let stand: RuntimeStand;
  let db: Database;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-recovery-'));
    archive = join(directory, 'archive');
    await mkdir(archive);
    primary = await createServiceCluster(join(directory, 'primary'), {
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    });
    db = await open(primary);
    await migrate(db, await readMigrations(MIGRATIONS));
    stand = await openRuntimeStand({ own: { url: primary.url, db } });
    await takeBaseBackup(primary.port, join(directory, 'base'), ['--wal-method=none']);
  });
  afterAll(async () => {
    await stand?.close();
    await primary?.stop();
    await restored?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const open = (cluster: Cluster): Promise<Database> =>
    openDatabase({ url: cluster.url, schema: SCHEMA, poolMax: 4, applicationName: 'test', log: quiet });

  async function start(url: string): Promise<Program[]> {
    const programs: Program[] = [];
    const environment = { SERVICE_UPSTREAM_DB: url, SERVICE_RECEIPT_CHECKPOINT_SECONDS: '1' };
    for (const part of PARTS) programs.push(await stand.start(part, { environment }));
    return programs;
  }

  const checkpoints = async (): Promise<string[]> =>
    (await readdir(join(stand.directory, 'checkpoints')).catch(() => [])).filter((file) => file.endsWith('.txt'));

  /** Some runs to their end, and a checkpoint that covers them. */
  async function work(on: Database, name: string): Promise<string[]> {
    const ids = await startRuns(stand, 30, 1_000, name);
    await expectAllEndedOnce(on, ids, 60_000);
    await poll(async () => {
      const { rowCount } = await on.query(COVERED, [ids]);
      const { rows } = await on.query<{ id: string }>(LAST_CHECKPOINT);
      return rowCount === ids.length && (await checkpoints()).some((file) => file.startsWith(rows[0]?.id ?? 'none'));
    });
    return ids;
  }

  it('brings back what was there, with every receipt, and the doctor names what the directory knows beyond it', async () => {
    const programs = await start(primary.url);
    const before = await work(db, 'before');
    const [target] = await primary.query<{ at: string }>('select clock_timestamp()::text as at');
    const after = await work(db, 'after');
    const files = await checkpoints();

    await primary.query(`drop schema ${SCHEMA} cascade`);
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await primary.query('select pg_switch_wal()');
    // A server that is stopped archives what it has first.
    await primary.stop();

    const startedMs = performance.now();
    await writeFile(join(directory, 'base', 'recovery.signal'), '');
    const recovered = await startCluster(join(directory, 'base'), {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: target?.at ?? '',
      recovery_target_action: 'promote',
    });
    restored = recovered;
    await poll(
      async () => (await recovered.query<{ open: boolean }>('select not pg_is_in_recovery() as open'))[0]?.open,
    );
    const tookMs = performance.now() - startedMs;

    const there = await open(recovered);
    try {
      await expectAllEndedOnce(there, before);
      expect((await there.query('select 1 from :schema.job where id = any($1)', [after])).rowCount).toBe(0);
      const look = (): ReturnType<typeof checkCheckpoints> =>
        checkCheckpoints({ directory: stand.directory, storage: async () => there } as Deployment);
      expect(await look()).toMatchObject([{ level: 'warning', what: expect.stringMatching(/does not have [1-9]/) }]);

      await start(recovered.url);
      await work(there, 'again');
      // Its numbers are given again, beside the files that had them.
      expect(await checkpoints()).toEqual(expect.arrayContaining(files));
      expect(await look()).toMatchObject([{ level: 'warning' }]);
      process.stdout.write(`recovered to a point in time in ${(tookMs / 1_000).toFixed(1)} s\n`);
    } finally {
      await there.close();
    }
  });
});
