import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import {
  listProcesses,
  type ProcessIdentity,
  recordProcess,
  removeProcess,
  sweepProcesses,
} from './process-registry.ts';
import { announceProcess } from './announce-process.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.query('delete from :schema.process');
});

const worker: ProcessIdentity = {
  id: 'proc_1',
  role: 'worker-chat',
  host: 'one',
  pid: 42,
  version: '1.0.0',
  build: '3f2a9c81d07e.1b2c3d4e5f60',
  group: 'service-chat',
  startedAt: new Date('2026-01-01T00:00:00Z'),
};
const age = (id: string, seconds: number): Promise<unknown> =>
  db.query('update :schema.process set seen_at = now() - make_interval(secs => $2) where id = $1', [id, seconds]);

describe('the process table', () => {
  it('holds one row per process, which every heartbeat renews', async () => {
    await recordProcess(db, worker, 'running', { rssBytes: 1 });
    await recordProcess(db, worker, 'stopping', { rssBytes: 2 });
    const listed = await listProcesses(db);
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({ ...worker, state: 'stopping', figures: { rssBytes: 2 } });
    expect(listed[0]?.seenAgoSeconds).toBeLessThan(10);
  });

  it('shows a process without heartbeats as lost, and removes it later', async () => {
    await recordProcess(db, worker, 'running', {});
    await recordProcess(db, { ...worker, id: 'proc_2' }, 'running', {});
    await age('proc_1', 16);
    expect((await listProcesses(db)).map(({ id, state }) => [id, state]).sort()).toEqual([
      ['proc_1', 'lost'],
      ['proc_2', 'running'],
    ]);
    expect(await sweepProcesses(db)).toBe(0);
    await age('proc_1', 601);
    expect(await sweepProcesses(db)).toBe(1);
    expect((await listProcesses(db)).map(({ id }) => id)).toEqual(['proc_2']);
  });

  it('shows a process of before build ids without one', async () => {
    await recordProcess(db, { ...worker, build: undefined }, 'running', {});
    expect((await listProcesses(db))[0]).toMatchObject({ version: '1.0.0', build: undefined });
  });

  it('removes a row', async () => {
    await recordProcess(db, worker, 'running', {});
    await removeProcess(db, worker.id);
    expect(await listProcesses(db)).toEqual([]);
  });
});

describe('announcing', () => {
  it('writes at once, renews, shows stopping and removes the row at the end', async () => {
    const announced = await announceProcess(db, {
      role: 'web',
      version: '1.0.0',
      log: quiet,
      figures: () => ({ sessions: 3 }),
      beatMs: 20,
    });
    const [first] = await listProcesses(db);
    expect(first).toMatchObject({
      role: 'web',
      pid: process.pid,
      state: 'running',
      group: undefined,
      figures: { sessions: 3 },
    });
    expect(first?.figures['rssBytes']).toBeGreaterThan(1_000_000);
    await expect
      .poll(async () => (await listProcesses(db))[0]?.seenAt.getTime())
      .toBeGreaterThan(first?.seenAt.getTime() ?? 0);
    await announced.stopping();
    expect((await listProcesses(db))[0]?.state).toBe('stopping');
    await announced.close();
    expect(await listProcesses(db)).toEqual([]);
  });

  it('goes on when the database fails, logs once, and recovers at a later heartbeat', async () => {
    let failing = true;
    let complaints = 0;
    const shaky: Database = {
      ...db,
      query: (sql, values) => (failing ? Promise.reject(new Error('down')) : db.query(sql, values)),
    };
    const log = Object.assign(Object.create(quiet) as typeof quiet, { warn: () => void complaints++ });
    let beats = 0;
    const announced = await announceProcess(shaky, {
      role: 'driver',
      version: '1',
      log,
      beatMs: 10,
      figures: () => ({ beats: ++beats }),
    });
    await expect.poll(() => beats).toBeGreaterThan(3);
    expect(complaints).toBe(1);
    failing = false;
    await expect.poll(async () => (await listProcesses(db)).length).toBe(1);
    await announced.close();
  });
});
