// Organizations take turns: one run waits neither for everything that another organization has queued, nor for what it has
// running.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import { addOrganization, addPerson } from '../support/people.ts';

const BACKLOG = 40;
let stand: RuntimeStand;

beforeAll(async () => {
  stand = await openRuntimeStand();
  await stand.start('api');
  await Promise.all([stand.start('broker'), stand.start('driver')]);
});
afterAll(() => stand?.close());

async function startSmall(...objectives: string[]): Promise<string[]> {
  const person = await addPerson(stand.db, 'small');
  const small = await addOrganization(stand.db, person);
  const token = await stand.mint(person, small.id);
  const ids: string[] = [];
  for (const objective of objectives)
    ids.push((await stand.request('POST', '/agents/factory/jobs', { token, body: { objective } })).body.job.id);
  return ids;
}

it('runs of a small organization are not starved by a big backlog', async () => {
  // No worker runs yet, so that the whole backlog is there before the small organization comes.
  const backlog = await Promise.all(Array.from({ length: BACKLOG }, () => stand.run('sleep 20')));
  const ids = await startSmall('sleep 20', 'sleep 21');
  const queued = async (): Promise<number> =>
    (await stand.db.query("select from :schema.broker_task where state = 'pending' and queue = 'any@service-chat'"))
      .rowCount;
  await expect.poll(queued, { timeout: 60_000 }).toBe(BACKLOG + ids.length);

  const worker = await stand.start('worker-chat', { environment: { SERVICE_BROKER_EXECUTE_CONCURRENCY: '1' } });
  const ended = async (): Promise<string[]> =>
    (
      await stand.db.query<{ id: string }>('select id from :schema.job where ended_at is not null order by ended_at')
    ).rows.map(({ id }) => id);
  await expect.poll(async () => (await ended()).length, { timeout: 60_000 }).toBe(BACKLOG + ids.length);
  const order = await ended();
  expect(new Set(order)).toEqual(new Set([...backlog, ...ids]));
  // One of theirs, one of ours: the two came to their turn among the first handful, not behind forty.
  for (const id of ids) expect(order.indexOf(id)).toBeLessThan(6);
  await worker.stop();
});

it('one organization has every place of the workers while it is alone, and another one starts nevertheless', async () => {
  await stand.start('worker-chat');
  const hanging = await Promise.all(Array.from({ length: 10 }, () => stand.run('hang')));
  const statuses = async (ids: readonly string[]): Promise<string[]> =>
    (await stand.db.query<{ status: string }>('select status from :schema.job where id = any($1)', [ids])).rows.map(
      ({ status }) => status,
    );
  const running = async (): Promise<number> =>
    (await statuses(hanging)).filter((status) => status === 'running').length;
  await expect.poll(running, { timeout: 60_000 }).toBe(8);

  const small = await startSmall('sleep 20', 'sleep 21', 'sleep 22', 'sleep 23', 'sleep 24', 'sleep 25');
  await expect.poll(() => statuses(small), { timeout: 60_000 }).toEqual(small.map(() => 'completed'));
  expect(await running()).toBe(8);
});
