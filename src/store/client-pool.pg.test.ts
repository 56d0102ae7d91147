import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, inject, it } from 'vitest';
import { quiet, withSuperuser } from '../../test/support/database.ts';
import { type ClientPool, createClientPool } from './client-pool.ts';

let pool: ClientPool;
afterEach(() => pool.close());
const open = (max: number): void => void (pool = createClientPool({ connectionString: inject('postgresUrl'), max }, quiet));

async function backend(): Promise<number> {
  const client = await pool.take();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  pool.giveBack(client);
  return rows[0]?.pid ?? 0;
}

it('hands a connection from one statement to the next, and gives it back to the pool after a while', async () => {
  open(2);
  const first = await backend();
  expect(await backend()).toBe(first);
  await sleep(1_200);
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

it.each([
  ['while nobody uses it', false],
  ['while a statement runs on it', true],
])('survives that the server ends a connection %s', async (_when, busy) => {
  open(1);
  const first = await backend();
  const running = busy ? pool.take().then((client) => client.query('select pg_sleep(10)').then(() => pool.giveBack(client), (error: unknown) => pool.giveBack(client, error))) : undefined;
  if (busy) await sleep(100);
  await withSuperuser((client) => client.query('select pg_terminate_backend($1)', [first]));
  await running;
  await sleep(100);
  expect(await backend()).not.toBe(first);
});

it('lets whoever waits go before the next', async () => {
  open(1);
  const held = await pool.take();
  const order: string[] = [];
  const waiting = (async () => {
    const client = await pool.take();
    order.push('waited');
    pool.giveBack(client);
  })();
  await sleep(20);
  pool.giveBack(held);
  await waiting;
  order.push('next');
  await backend();
  expect(order).toEqual(['waited', 'next']);
});

it('closes with connections that lie ready', async () => {
  open(3);
  await Promise.all([backend(), backend(), backend()]);
  await pool.close();
  await expect(pool.take()).rejects.toThrow('Cannot use a pool after calling end on the pool');
  open(1);
});
