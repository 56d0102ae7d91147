import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../test/support/people.ts';
import { SUBSCRIPTION_EVENTS, type SubscriptionEvent } from '../contract/subscriptions/subscriptions.ts';
import type { Database } from '../store/database.ts';
import { claimMessages, deliverMessage, type DeliveryOutcome, pruneDeliveries } from './deliver-message.ts';
import { listDeliveries, replayDelivery } from './deliveries.ts';
import { rewrapSubscriptions } from './rewrap-subscriptions.ts';
import { createMessageSender } from './send-message.ts';
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  listSubscriptions,
  removeSubscription,
} from './subscriptions.ts';

const wrappingKey = randomBytes(32);
const EVENTS = Object.keys(SUBSCRIPTION_EVENTS) as SubscriptionEvent[];
const ALL = { workspaceId: undefined, after: '', most: 100 };
let db: Database;
let [owner, admin, lead, member, stranger]: Person[] = [];
let organization: TestOrganization;
let lab: string;
let receiver: Server;
let url: string;
/** What the receiver got, and what it answers with. */
let received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 200;
const sender = createMessageSender({ allowPrivateUrls: true });

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end('not read');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  [owner, admin, lead, member, stranger] = await Promise.all(
    ['owner', 'admin', 'lead', 'member', 'stranger'].map((name) => addPerson(db, name)),
  );
  organization = await addOrganization(db, owner as Person);
  await addOrganization(db, stranger as Person);
  await join(db, organization.id, admin as Person, 'admin');
  for (const person of [lead, member]) await join(db, organization.id, person as Person, 'member');
  const { rows } = await db.query<{ id: string }>(
    `insert into :schema.workspace (id, organization_id, slug, name, kind, created_at)
     values ('ws_lab', $1, 'lab', 'Lab', 'named', now()) returning id`,
    [organization.id],
  );
  lab = rows[0]?.id ?? '';
  await joinWorkspace(db, organization.id, lab, lead as Person, 'admin');
  await joinWorkspace(db, organization.id, lab, member as Person, 'member');
});
afterAll(async () => {
  await sender.close();
  receiver?.close();
  await db?.close();
});
beforeEach(async () => {
  [received, answer] = [[], 200];
  await db.query('delete from :schema.subscription');
});

const deps = () => ({ db, wrappingKey, allowPrivateUrls: true, mostSubscriptions: 20 });
const by = (person: Person | undefined, workspaceId?: string) => ({
  userId: person?.id ?? '',
  organizationId: organization.id,
  workspaceId,
});
const subscribe = (events: SubscriptionEvent[] = EVENTS, workspaceId?: string) =>
  createSubscription(deps(), {
    organizationId: organization.id,
    workspaceId,
    userId: owner?.id ?? '',
    url,
    events,
  });
const announce = (event: SubscriptionEvent, workspace: string | null = lab): Promise<unknown> =>
  db.query('select :schema.announce_event($1, $2, $3, \'{"job": "job_1"}\')', [organization.id, workspace, event]);

async function deliverDue(): Promise<(DeliveryOutcome | undefined)[]> {
  const outcomes: DeliveryOutcome[] = [];
  const delivering = { db, wrappingKey, sender, onOutcome: (outcome: DeliveryOutcome) => void outcomes.push(outcome) };
  for (const due of await claimMessages(db, 100)) await deliverMessage(delivering, due, new AbortController().signal);
  return outcomes;
}
const makeDue = (): Promise<unknown> =>
  db.query("update :schema.subscription_delivery set next_at = now() - interval '1 second' where next_at is not null");

it('tells an address what it subscribed to, signed with its secret', async () => {
  const { subscription, secret } = await subscribe(['run.completed', 'run.failed']);
  await announce('run.completed');
  await announce('run.aborted');
  expect(await deliverDue()).toEqual(['delivered']);
  expect(await deliverDue()).toEqual([]);
  const [message] = received;
  expect(JSON.parse(message?.body ?? '')).toEqual({
    type: 'run.completed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { organization: organization.id, workspace: lab, job: 'job_1' },
  });
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message?.headers ?? {};
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(key).toHaveLength(32);
  expect(signature).toBe(
    `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${message?.body}`)
      .digest('base64')}`,
  );
  expect(await listDeliveries(db, by(owner), subscription.id, { after: '', most: 10 })).toMatchObject([
    { id, event: 'run.completed', state: 'delivered', tries: 1, status: 200 },
  ]);
});

it('tells a workspace only of itself, and the organization of all', async () => {
  await subscribe(EVENTS, lab);
  await announce('run.failed', organization.defaultId);
  await announce('cap.reached', null);
  expect(await deliverDue()).toEqual([]);
  await subscribe();
  await announce('run.failed', organization.defaultId);
  await announce('run.failed');
  expect(await deliverDue()).toEqual(['delivered', 'delivered', 'delivered']);
});

it('tries again ten times, each time with the same id, and gives up', async () => {
  const { subscription } = await subscribe();
  answer = 500;
  await announce('run.failed');
  const pauses: number[] = [];
  for (let tries = 1; tries <= 10; tries++) {
    await makeDue();
    expect(await deliverDue()).toEqual([tries === 10 ? 'given-up' : 'retried']);
    const { rows } = await db.query<{ pause: number | null }>(
      'select extract(epoch from next_at - tried_at)::float8 as pause from :schema.subscription_delivery',
    );
    pauses.push(...rows.flatMap(({ pause }) => pause ?? []));
  }
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [hours, first] = [pauses.reduce((sum, pause) => sum + pause, 0) / 3_600, pauses[0] ?? 0];
  expect(hours).toBeGreaterThan(18);
  expect(hours).toBeLessThan(25);
  expect(first).toBeLessThan(20);
  expect(await listDeliveries(db, by(owner), subscription.id, { after: '', most: 10 })).toMatchObject([
    { state: 'given_up', tries: 10, status: 500, failure: 'the address answered 500' },
  ]);
  const [given] = await listDeliveries(db, by(owner), subscription.id, { after: '', most: 1 });
  answer = 204;
  await replayDelivery(db, by(owner), subscription.id, given?.id ?? '');
  expect(await deliverDue()).toEqual(['delivered']);
});

it('follows no redirect, and is turned off at once by 410, or after three days of failures', async () => {
  const { subscription } = await subscribe();
  answer = 302;
  await announce('run.failed');
  expect(await deliverDue()).toEqual(['retried']);
  expect(received).toHaveLength(1);
  expect(await getSubscription(db, by(owner), subscription.id)).toMatchObject({
    enabled: true,
    failingSince: expect.any(String),
  });
  await db.query("update :schema.subscription set failing_since = now() - interval '73 hours'");
  await makeDue();
  await deliverDue();
  expect(await getSubscription(db, by(owner), subscription.id)).toMatchObject({
    enabled: false,
    disabled: { reason: 'failing' },
  });
  await announce('run.failed');
  expect(await deliverDue()).toEqual([]);
  expect(await outcome(replayDelivery(db, by(owner), subscription.id, 'msg_1'))).toBe('subscription_disabled');

  const again = await changeSubscription(deps(), by(owner), subscription.id, { enabled: true });
  expect(again).toMatchObject({ enabled: true });
  expect(again).not.toHaveProperty('failingSince');
  answer = 410;
  await announce('run.failed');
  expect(await deliverDue()).toEqual(['given-up']);
  expect(await getSubscription(db, by(owner), subscription.id)).toMatchObject({ disabled: { reason: 'gone' } });
});

it('asks an address that does not answer once, not for each of its messages', async () => {
  await subscribe();
  answer = 503;
  for (let told = 0; told < 20; told++) await announce('run.failed');
  await deliverDue();
  expect(received).toHaveLength(8);
  expect(await deliverDue()).toEqual([]);
});

it('sends a message once, though two processes take it', async () => {
  await subscribe();
  await announce('run.failed');
  const [due] = await claimMessages(db, 10);
  expect(await claimMessages(db, 10)).toEqual([]);
  if (!due) throw new Error('nothing is due');
  const delivering = { db, wrappingKey, sender, onOutcome: () => {} };
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => deliverMessage(delivering, due, new AbortController().signal)),
  );
  expect(outcomes.sort()).toEqual(['delivered', undefined, undefined]);
  expect(received).toHaveLength(1);
});

it('reaches no private address, by its form or by what its name resolves to', async () => {
  const strict = { ...deps(), allowPrivateUrls: false };
  const given = { organizationId: organization.id, workspaceId: undefined, userId: owner?.id ?? '', events: EVENTS };
  for (const bad of [
    url,
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://service.internal/',
    'ftp://a.example/',
    'https://me:pw@a.example/',
    'no url',
  ])
    expect(await outcome(createSubscription(strict, { ...given, url: bad })), bad).toBe('invalid_request');
  const publicly = createMessageSender({ allowPrivateUrls: false });
  expect(await publicly.send(url, {}, '{}', new AbortController().signal)).toEqual({
    failure: 'the address could not be reached',
  });
  await publicly.close();
  expect(received).toEqual([]);
});

it('shows and changes only what a person manages', async () => {
  const all = await subscribe();
  const labs = await subscribe(EVENTS, lab);
  const ids = async (person: Person | undefined, workspace?: string): Promise<string[]> =>
    (await listSubscriptions(db, by(person, workspace), ALL)).subscriptions.map(({ id }) => id).sort();
  const both = [all.subscription.id, labs.subscription.id].sort();
  expect(await ids(owner)).toEqual(both);
  expect(await ids(admin)).toEqual(both);
  expect(await ids(owner, lab)).toEqual([labs.subscription.id]);
  expect(await ids(lead)).toEqual([labs.subscription.id]);
  expect(await ids(member)).toEqual([]);
  expect(await ids(stranger)).toEqual([]);
  for (const person of [lead, member, stranger]) {
    expect(await outcome(getSubscription(db, by(person), all.subscription.id))).toBe('not_found');
    expect(await outcome(changeSubscription(deps(), by(person), all.subscription.id, { enabled: false }))).toBe(
      'not_found',
    );
    expect(await outcome(removeSubscription(db, by(person), all.subscription.id))).toBe('not_found');
    expect(await outcome(replayDelivery(db, by(person), all.subscription.id, 'msg_1'))).toBe('not_found');
  }
  expect(await outcome(removeSubscription(db, by(lead), labs.subscription.id))).toBe('ok');
});

it('has a bound, keeps no secret in the clear, and moves to another key', async () => {
  const { secret } = await subscribe();
  const { rows } = await db.query('select * from :schema.subscription');
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'));
  const to = randomBytes(32);
  expect(await rewrapSubscriptions(db, { from: wrappingKey, to })).toEqual({ moved: 1, kept: 0, lost: 0 });
  await announce('run.failed');
  const [due] = await claimMessages(db, 1);
  if (!due) throw new Error('nothing is due');
  const delivering = { db, wrappingKey: to, sender, onOutcome: () => {} };
  expect(await deliverMessage(delivering, due, new AbortController().signal)).toBe('delivered');
  const made = await Promise.all(Array.from({ length: 25 }, () => outcome(subscribe())));
  expect(made.filter((one) => one === 'ok')).toHaveLength(19);
  expect(await outcome(subscribe())).toBe('too_many_subscriptions');
  expect(await outcome(subscribe(EVENTS, lab))).toBe('ok');
});

it('forgets what was delivered long ago, and not what waits', async () => {
  await subscribe();
  await announce('run.failed');
  await deliverDue();
  await announce('run.completed');
  await db.query("update :schema.subscription_delivery set created_at = now() - interval '8 days'");
  expect(await pruneDeliveries(db)).toBe(1);
  const { rows } = await db.query('select event from :schema.subscription_delivery');
  expect(rows).toEqual([{ event: 'run.completed' }]);
});
