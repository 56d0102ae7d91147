import { afterEach, expect, inject, it, vi } from 'vitest';
import { quiet, withSuperuser } from '../../test/support/database.ts';
import { type ClientPool, createClientPool } from './client-pool.ts';

let pool: ClientPool;
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});
const open = (max: number, log = quiet): void =>
  void (pool = createClientPool({ connectionString: inject('postgresUrl'), max }, log));

async function backend(): Promise<number> {
  const client = await pool.take();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  pool.giveBack(client);
  return rows[0]?.pid ?? 0;
}

it('hands a connection from one statement to the next, and returns it to the pool after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  open(2);
  const first = await backend();
  expect(await backend()).toBe(first);
  vi.advanceTimersByTime(1_000);
  expect(await backend()).toBe(first);
});

it('keeps a connection whose statement was refused', async () => {
  open(1);
  const first = await backend();
  const client = await pool.take();
  const error = await client.query('select 1/0').catch((failure: unknown) => failure);
  pool.giveBack(client, error);
  expect(await backend()).toBe(first);
});

it('drops one whose statement failed otherwise', async () => {
  open(1);
  const first = await backend();
  pool.giveBack(await pool.take(), new Error('read timeout'));
  expect(await backend()).not.toBe(first);
});

it('survives the end of a connection while it is idle', async () => {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  open(1, Object.assign(Object.create(quiet) as typeof quiet, { warn: () => resolve() }));
  const first = await backend();
  await withSuperuser((client) => client.query('select pg_terminate_backend($1)', [first]));
  await lost;
  expect(await backend()).not.toBe(first);
});

it('survives the end of a connection while a statement runs on it', async () => {
  open(1);
  const first = await backend();
  const client = await pool.take();
  const running = client.query('select pg_sleep(60)').catch((error: unknown) => error);
  await withSuperuser(async (superuser) => {
    await expect
      .poll(
        async () =>
          (await superuser.query("select 1 from pg_stat_activity where pid = $1 and state = 'active'", [first]))
            .rowCount,
      )
      .toBe(1);
    await superuser.query('select pg_terminate_backend($1)', [first]);
  });
  pool.giveBack(client, await running);
  expect(await backend()).not.toBe(first);
});

it('serves waiting callers before new ones', async () => {
  open(1);
  const held = await pool.take();
  const order: string[] = [];
  const waiting = (async () => {
    const client = await pool.take();
    order.push('waited');
    pool.giveBack(client);
  })();
  pool.giveBack(held);
  await waiting;
  order.push('next');
  await backend();
  expect(order).toEqual(['waited', 'next']);
});

it('closes with idle connections', async () => {
  open(3);
  await Promise.all([backend(), backend(), backend()]);
  await pool.close();
  await expect(pool.take()).rejects.toThrow('Cannot use a pool after calling end on the pool');
  open(1);
});
