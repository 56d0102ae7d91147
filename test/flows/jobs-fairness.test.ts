// Organizations take turns: one run does not wait for everything that another organization has queued.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JobStand, openJobStand } from '../support/job-stand.ts';
import { addOrganization, addPerson } from '../support/people.ts';

const BACKLOG = 40;
let stand: JobStand;

beforeAll(async () => {
  stand = await openJobStand();
  await stand.start('api');
  await Promise.all([stand.start('broker'), stand.start('driver')]);
});
afterAll(() => stand?.close());

it('runs of a small organization are not starved by a big backlog', async () => {
  // No worker runs yet, so that the whole backlog is there before the small organization comes.
  const backlog = await Promise.all(Array.from({ length: BACKLOG }, () => stand.run('sleep 20')));
  const person = await addPerson(stand.db, 'small');
  const small = await addOrganization(stand.db, person);
  const token = await stand.mint(person, small.id);
  const ids: string[] = [];
  for (const objective of ['sleep 20', 'sleep 21'])
    ids.push((await stand.request('POST', '/agents/factory/jobs', { token, body: { objective } })).body.job.id);
  const queued = async (): Promise<number> =>
    (await stand.db.query("select from :schema.broker_task where state = 'pending' and queue = 'any@service-chat'"))
      .rowCount;
  await expect.poll(queued, { timeout: 60_000 }).toBe(BACKLOG + ids.length);

  await stand.start('worker-chat', { environment: { SERVICE_BROKER_EXECUTE_CONCURRENCY: '1' } });
  const ended = async (): Promise<string[]> =>
    (
      await stand.db.query<{ id: string }>('select id from :schema.job where ended_at is not null order by ended_at')
    ).rows.map(({ id }) => id);
  await expect.poll(async () => (await ended()).length, { timeout: 60_000 }).toBe(BACKLOG + ids.length);
  const order = await ended();
  expect(new Set(order)).toEqual(new Set([...backlog, ...ids]));
  // One of theirs, one of ours: the two came to their turn among the first handful, not behind forty.
  for (const id of ids) expect(order.indexOf(id)).toBeLessThan(6);
});
