import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connectRole, type RoleBroker } from '../../src/broker/client/connect-role.ts';
import { quiet, withSuperuser } from '../support/database.ts';
import { type BrokerStand, openBrokerStand } from '../support/broker/broker-stand.ts';

let stand: BrokerStand;
const roles: RoleBroker[] = [];
beforeEach(async () => {
  stand = await openBrokerStand();
});
afterEach(async () => {
  await Promise.all(roles.splice(0).map((role) => role.stop()));
  await stand.close();
});

function caller(url: string): RoleBroker {
  const role = connectRole({ url, group: 'callers', heartbeats: true, polls: false, log: quiet });
  roles.push(role);
  return role;
}

const start = (role: RoleBroker, id: string, argument: unknown = {}) =>
  role.call(id, 'drive', argument, { target: 'drivers', timeoutMs: 600_000 });
/** However long the broker takes to come back. */
async function startSurely(role: RoleBroker, id: string): Promise<void> {
  await start(role, id).catch(() => startSurely(role, id));
}
const stateOf = async (role: RoleBroker, id: string) => (await role.resonate.promises.get(id)).state;
async function settled(role: RoleBroker, id: string): Promise<void> {
  await expect
    .poll(() => stateOf(role, id).catch(() => 'unreachable'), { timeout: 30_000, interval: 50 })
    .toBe('resolved');
}

test('a worker that is killed while it works is replaced by another within seconds', async () => {
  const { url } = await stand.broker();
  const api = caller(url);
  await stand.worker(url, 'drivers', 'workers');
  const first = await stand.worker(url, 'workers', '');
  await start(api, 'job', { hang: true });
  await first.said('working job:0');
  const second = await stand.worker(url, 'workers', '');
  await first.stop('SIGKILL');
  await second.said('working job:0');
});

test('a broker that is killed loses nothing: streams reconnect, and held tasks stay with their workers', async () => {
  const broker = await stand.broker();
  const api = caller(broker.url);
  await stand.worker(broker.url, 'drivers', 'workers');
  const worker = await stand.worker(broker.url, 'workers', '');
  await start(api, 'long', { hang: true });
  await worker.said('working long:0');
  await broker.stop('SIGKILL');
  const calls = ['a', 'b', 'c'].map((id) => startSurely(api, id));
  await stand.broker(broker.port);
  await Promise.all(calls);
  await Promise.all(['a', 'b', 'c'].map((id) => settled(api, id)));
  // The hanging task was neither lost nor given out twice.
  const { rows } = await stand.db.query("select state, version from :schema.broker_task where id = 'long:0'");
  expect(rows).toEqual([{ state: 'acquired', version: 1 }]);
});

test('when one of two replicas is killed with a worker on it, the other gives its work to another worker', async () => {
  const [one, two] = [await stand.broker(), await stand.broker()];
  const api = caller(two.url);
  await stand.worker(two.url, 'drivers', 'workers');
  const doomed = await stand.worker(one.url, 'workers', '');
  await start(api, 'job', { hang: true });
  await doomed.said('working job:0');
  const heir = await stand.worker(two.url, 'workers', '');
  await Promise.all([doomed.stop('SIGKILL'), one.stop('SIGKILL')]);
  await heir.said('working job:0');
  await start(api, 'next');
  await settled(api, 'next');
});

test('many calls over two replicas are all executed, each with one result', async () => {
  const [one, two] = [await stand.broker(), await stand.broker()];
  await stand.worker(one.url, 'drivers', 'workers');
  await stand.worker(two.url, 'drivers', 'workers');
  await stand.worker(one.url, 'workers', '');
  await stand.worker(two.url, 'workers', '');
  const apis = [caller(one.url), caller(two.url)];
  const ids = Array.from({ length: 60 }, () => randomUUID());
  await Promise.all(ids.map((id, i) => start(apis[i % 2] as RoleBroker, id)));
  await expect
    .poll(
      async () =>
        (
          await stand.db.query<{ n: number }>(
            "select count(*) as n from :schema.broker_promise where state = 'resolved'",
          )
        ).rows[0]?.n,
      { timeout: 60_000 },
    )
    .toBe(120);
});

test('a broker whose database connections are cut goes on with the work as soon as it has new ones', async () => {
  // As a role of its own: brokers of other test files use the same server.
  const role = `broker_of_${stand.db.schema}`;
  await withSuperuser((client) => client.query(`create role ${role} superuser login password 'test'`));
  const database = new URL(inject('postgresUrl'));
  [database.username, database.password] = [role, 'test'];
  const { url } = await stand.broker(undefined, { SERVICE_UPSTREAM_DB: database.href });
  const api = caller(url);
  await stand.worker(url, 'drivers', 'workers');
  await stand.worker(url, 'workers', '');
  const ids = Array.from({ length: 30 }, () => randomUUID());
  const calls = ids.map((id) => start(api, id));
  await withSuperuser((client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]),
  );
  await Promise.all(calls);
  await Promise.all(ids.map((id) => settled(api, id)));
});

test('a worker that is asked to stop takes nothing new and leaves cleanly', async () => {
  const { url } = await stand.broker();
  const api = caller(url);
  const driver = await stand.worker(url, 'drivers', 'workers');
  expect(await driver.stop()).toBe(0);
  await start(api, 'later');
  expect(driver.lines.filter((line) => line.startsWith('driving'))).toEqual([]);
  await stand.worker(url, 'drivers', 'workers');
  await stand.worker(url, 'workers', '');
  await settled(api, 'later');
});

test('the broker stops cleanly on SIGTERM with streams open', async () => {
  const broker = await stand.broker();
  await stand.worker(broker.url, 'workers', '');
  expect(await broker.stop()).toBe(0);
  const { rows } = await stand.db.query('select count(*) as n from :schema.broker_replica');
  expect(rows).toEqual([{ n: 0 }]);
});
