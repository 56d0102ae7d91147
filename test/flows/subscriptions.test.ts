// Messages of subscriptions, by the shipped processes: whatever is killed between the end of a run and the delivery, the
// address is told, under one id.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';
import { poll } from '../support/poll.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import type { Program } from '../support/watch-process.ts';

const environment = {
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: randomBytes(32).toString('base64'),
  SERVICE_ALLOW_PRIVATE_URLS: '1',
};
let stand: RuntimeStand;
let receiver: WebhookReceiver;
let [api, sender]: Program[] = [];
let subscription: string;

beforeAll(async () => {
  [stand, receiver] = await Promise.all([openRuntimeStand(), startWebhookReceiver()]);
  api = await stand.start('api', { environment });
  [, , , sender] = await Promise.all([
    stand.start('broker'),
    stand.start('driver'),
    stand.start('worker-chat'),
    stand.start('worker-control', { environment }),
  ]);
  const { status, body } = await stand.request('POST', '/subscriptions', {
    body: { url: receiver.url, events: ['run.completed', 'run.failed'] },
  });
  if (status !== 201) throw new Error(`subscribing answered ${status}: ${JSON.stringify(body)}`);
  subscription = body.subscription.id;
  receiver.trust(body.secret);
});
afterAll(async () => {
  await stand?.close();
  await receiver?.close();
});

const toldOf = (job: string) => receiver.received.filter(({ body }) => body.data['job'] === job);
const waiting = async (job: string): Promise<{ id: string; tries: number; leased: boolean } | undefined> => {
  const { rows } = await stand.db.query<{ id: string; tries: number; leased: boolean }>(
    "select id, tries, next_at > created_at as leased from :schema.subscription_delivery where body::json -> 'data' ->> 'job' = $1 and delivered_at is null",
    [job],
  );
  return rows[0];
};
const deliveryOf = async (id: string) => {
  const { body } = await stand.request('GET', `/subscriptions/${subscription}/deliveries`);
  return body.deliveries.find((one: { id: string }) => one.id === id);
};
/** A lease that has passed: the message is due again. */
const passLease = (id: string): Promise<unknown> =>
  stand.db.query('update :schema.subscription_delivery set next_at = now() where id = $1', [id]);

it('tells of a run that completed and of one that failed, in messages that verify', async () => {
  const [completed, failed] = [await stand.run('hello'), await stand.run('fail now')];
  await poll(() => toldOf(completed).length === 1 && toldOf(failed).length === 1);
  expect(toldOf(completed)[0]?.body).toEqual({
    type: 'run.completed',
    timestamp: expect.any(String),
    data: {
      organization: stand.organization.id,
      workspace: stand.organization.defaultId,
      job: completed,
      status: 'completed',
    },
  });
  expect(toldOf(failed)[0]?.body).toMatchObject({ type: 'run.failed', data: { status: 'failed' } });
  expect(receiver.refused).toEqual([]);
  await poll(async () => (await deliveryOf(toldOf(failed)[0]?.id ?? ''))?.state === 'delivered');
});

it('tells of a run that ended while no api process was left', async () => {
  const job = await stand.run('wait');
  await stand.until(job, 'running');
  await api?.stop('SIGKILL');
  stand.release();
  const { id } = await poll(() => waiting(job));
  expect(toldOf(job)).toEqual([]);
  api = await stand.start('api', { environment });
  await poll(() => toldOf(job).length > 0);
  expect(toldOf(job).map((one) => one.id)).toEqual([id]);
});

it('tells of a run though the sender, and then the api process that handed the message over, are killed', async () => {
  await sender?.stop('SIGKILL');
  const job = await stand.run('hello');
  const { id } = await poll(async () => {
    const found = await waiting(job);
    return found?.leased === true && found;
  });
  await api?.stop('SIGKILL');
  await passLease(id);
  [api, sender] = await Promise.all([
    stand.start('api', { environment }),
    stand.start('worker-control', { environment }),
  ]);
  await poll(() => toldOf(job).length > 0);
  await poll(async () => (await deliveryOf(id))?.state === 'delivered');
  expect(new Set(toldOf(job).map((one) => one.id))).toEqual(new Set([id]));
});

it('sends a message again, under the same id, when the sender is killed before it knows the answer', async () => {
  receiver.hold(true);
  const job = await stand.run('hello');
  await poll(() => toldOf(job).length > 0);
  await sender?.stop('SIGKILL');
  receiver.hold(false);
  const { id, tries } = await poll(() => waiting(job));
  expect(tries).toBe(1);
  await passLease(id);
  sender = await stand.start('worker-control', { environment });
  await poll(async () => (await deliveryOf(id))?.state === 'delivered');
  expect(toldOf(job).map((one) => one.id)).toEqual([id, id]);
  expect(await deliveryOf(id)).toMatchObject({ tries: 2, status: 204 });
  expect(receiver.refused).toEqual([]);
});
