// The primary dies under load, a standby behind a slow link is promoted, and every process goes on with it by itself:
// SERVICE_UPSTREAM_DB names both hosts. What was acknowledged is counted on the standby.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import { type AcknowledgedRun, startRunLoad } from '../support/faults/acknowledged-runs.ts';
import {
  type Cluster,
  clusterSkipReason,
  createServiceCluster,
  startCluster,
  takeBaseBackup,
} from '../support/faults/postgres-cluster.ts';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts';
import { leaveOut } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { expectAllEndedOnce } from '../support/runs/run-faults.ts';
import { openRuntimeStand, type Part, type RuntimeStand } from '../support/runs/runtime-stand.ts';

const STANDBY = 'standby_1';
const PARTS = ['broker', 'api', 'driver', 'worker-chat'] as const satisfies Part[];
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

interface World {
  readonly primary: Cluster;
  /** Between the two. */
  readonly link: TcpProxy;
  readonly standby: Cluster;
  readonly db: Database;
  readonly stand: RuntimeStand;
}

interface Replication {
  readonly isSynchronous: boolean;
  /** What the link takes one way. */
  readonly linkMs: number;
}

async function openWorld({ isSynchronous, linkMs }: Replication): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'service-standby-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const primary = await createServiceCluster(join(directory, 'primary'));
  undo.push(() => primary.stop());
  const link = await startTcpProxy({ port: primary.port });
  link.delay(linkMs);
  undo.push(() => link.close());
  // With a slot the primary keeps what the standby has not read yet.
  const following = ['--write-recovery-conf', '--create-slot', '--slot', STANDBY, '--wal-method=stream'];
  await takeBaseBackup(link.port, join(directory, 'standby'), following);
  const standby = await startCluster(join(directory, 'standby'), { cluster_name: STANDBY });
  undo.push(() => standby.stop());
  const streams = async (): Promise<boolean> =>
    (await primary.query("select from pg_stat_replication where state = 'streaming'")).length === 1;
  await poll(streams);
  // Not before: a commit would wait for a standby that is not there.
  if (isSynchronous) {
    await primary.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await primary.query('select pg_reload_conf()');
    await poll(
      async () => (await primary.query("select from pg_stat_replication where sync_state = 'sync'")).length === 1,
    );
  }
  const url = primary.url.replace('/postgres', `,127.0.0.1:${standby.port}/postgres`);
  const db = await openDatabase({ url, schema: 'standby', poolMax: 4, applicationName: 'test', log: quiet });
  await migrate(db, await readMigrations(MIGRATIONS));
  const stand = await openRuntimeStand({ own: { url, db } });
  undo.push(() => stand.close());
  return { primary, link, standby, db, stand };
}

interface Failover {
  readonly diedMs: number;
  readonly promotedMs: number;
}

/** What is under way on the link is lost with the primary. */
async function failOver({ primary, link, standby }: World): Promise<Failover> {
  link.refuse();
  const died = primary.die();
  const diedMs = performance.now();
  await died;
  await standby.query('select pg_promote()');
  return { diedMs, promotedMs: performance.now() };
}

async function findLost(db: Database, acknowledged: readonly AcknowledgedRun[]): Promise<AcknowledgedRun[]> {
  const { rows } = await db.query<{ id: string }>('select id from :schema.job where id = any($1)', [
    acknowledged.map(({ id }) => id),
  ]);
  const found = new Set(rows.map(({ id }) => id));
  return acknowledged.filter(({ id }) => !found.has(id));
}

function print(
  name: string,
  load: readonly AcknowledgedRun[],
  lost: readonly AcknowledgedRun[],
  { diedMs, promotedMs }: Failover,
): void {
  // An answer that was on its way when the primary died arrives a moment later.
  const before = load.filter(({ atMs }) => atMs < promotedMs);
  const rate = (before.length * 1_000) / (diedMs - (before[0]?.atMs ?? 0));
  const oldestMs = Math.max(0, ...lost.map(({ atMs }) => diedMs - atMs));
  const againMs = (load.find(({ atMs }) => atMs >= promotedMs)?.atMs ?? Infinity) - diedMs;
  process.stdout.write(
    [
      `${name}: ${before.length} runs acknowledged before, ${rate.toFixed(0)} a second, ${load.length - before.length} after;`,
      `${lost.length} lost, acknowledged in the last ${oldestMs.toFixed(0)} ms;`,
      `promoted after ${(promotedMs - diedMs).toFixed(0)} ms, runs are taken again after ${againMs.toFixed(0)} ms\n`,
    ].join(' '),
  );
}

describe('a standby that is promoted', leaveOut(clusterSkipReason), () => {
  it('has every run that was acknowledged, if it is synchronous', async () => {
    const world = await openWorld({ isSynchronous: true, linkMs: 10 });
    const { db, stand } = world;
    for (const part of PARTS) await stand.start(part);
    const load = startRunLoad(stand);
    await load.more(100);
    const failover = await failOver(world);
    await load.more(100);
    await load.stop();
    const lost = await findLost(db, load.acknowledged);
    print('synchronous', load.acknowledged, lost, failover);
    expect(lost).toEqual([]);
    await expectAllEndedOnce(
      db,
      load.acknowledged.map(({ id }) => id),
      120_000,
    );
  });

  it('lacks the last moments, if it is not; all that it has goes on and verifies', async () => {
    const world = await openWorld({ isSynchronous: false, linkMs: 250 });
    const { db, stand } = world;
    for (const part of PARTS) await stand.start(part);
    const load = startRunLoad(stand);
    await load.more(150);
    const failover = await failOver(world);
    await load.more(100);
    await load.stop();
    const lost = await findLost(db, load.acknowledged);
    print('asynchronous', load.acknowledged, lost, failover);
    const gone = new Set(lost.map(({ id }) => id));
    await expectAllEndedOnce(
      db,
      load.acknowledged.filter(({ id }) => !gone.has(id)).map(({ id }) => id),
      120_000,
    );
  });
});
