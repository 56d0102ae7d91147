import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asker, openStream, settling, taskFor, type TestStream } from '../../test/support/broker/broker-stream.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { type Broker, createBroker } from './create-broker.ts';
import { giveTasks } from './store/save-changes.ts';

const db = await openTestDatabase({ poolMax: 4 });
const brokers: Broker[] = [];
let broker: Broker;
let ask: ReturnType<typeof asker>;
let group: string;
let n = 0;

async function newBroker(sharePercent = 50): Promise<Broker> {
  const made = await createBroker({ db, log: quiet, retentionMs: 3_600_000, warmUpMs: 0, sharePercent });
  brokers.push(made);
  return made;
}
afterAll(() => db.close());

const leasing = (credit: number, { at = broker, pid = `${group}p` } = {}): Promise<TestStream> =>
  openStream(at, { group, pid, leaseMs: 20_000, credit });
/** Tasks `a1`, `a2`, … of tenant `a`. */
async function enqueue(...names: string[]): Promise<void> {
  for (const name of names)
    await ask('promise.create', taskFor(`${group}${name}`, group, {}, { 'service:tenant': name.slice(0, 1) }));
}
const finish = (name: string): Promise<unknown> => ask('task.fulfill', settling(`${group}${name}`, 1));
/** The names of the next tasks that the stream gets. */
async function next(stream: TestStream, count: number): Promise<string[]> {
  const names: string[] = [];
  while (names.length < count) {
    const message = await stream.next();
    if (message.startsWith('execute ')) names.push(message.slice(`execute ${group}`.length, message.indexOf('@')));
  }
  return names;
}
const numbered = (tenant: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${tenant}${at + 1}`);

describe("a tenant's share of a group's places", () => {
  beforeEach(async () => {
    broker = await newBroker();
    ask = asker(broker);
    group = `share${++n}`;
  });
  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((one) => one.close()));
  });

  test('a tenant that is alone has all places, and a newcomer need not wait until one of them is free', async () => {
    const stream = await leasing(8);
    await enqueue(...numbered('a', 9));
    expect(await next(stream, 8)).toEqual(numbered('a', 8));
    await enqueue(...numbered('b', 6));
    // Four places of eight are b's share; a's ninth task and b's fifth wait.
    expect(await next(stream, 4)).toEqual(numbered('b', 4));
    const figures = (await broker.figures()).groups.find((one) => one.group === group);
    expect(figures).toMatchObject({ streams: [{ credit: 8, held: 12 }], waiting: { 'no credit': 3 } });
    // What a has beyond its share is not replaced while b waits, and every place of b's is.
    for (const name of numbered('a', 4)) await finish(name);
    await finish('b1');
    expect(await next(stream, 1)).toEqual(['b5']);
    await finish('b2');
    expect(await next(stream, 1)).toEqual(['b6']);
    // b has no waiting task now.
    await finish('b3');
    expect(await next(stream, 1)).toEqual(['a9']);
  });

  test('tenants that all have a backlog get no more than their share, and a place stays for one who comes', async () => {
    await enqueue(...numbered('a', 5), ...numbered('b', 5));
    const stream = await leasing(5);
    expect((await next(stream, 4)).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']);
    const figures = (await broker.figures()).groups.find((one) => one.group === group);
    expect(figures?.waiting).toEqual({ 'tenant has its share': 6 });
    // Nor is a new task of theirs handed over past the queue.
    await enqueue('a6', 'c1');
    expect(await next(stream, 1)).toEqual(['c1']);
  });

  test('a group of one place has it for one task at a time', async () => {
    const stream = await leasing(1);
    await enqueue('a1', 'b1');
    expect(await next(stream, 1)).toEqual(['a1']);
    expect((await broker.waiting(`${group}b1`)).map(({ reason }) => reason)).toEqual(['no credit']);
    await finish('a1');
    expect(await next(stream, 1)).toEqual(['b1']);
  });

  test('places of all streams count, at every replica', async () => {
    const second = await newBroker();
    const streams = [await leasing(2), await leasing(2, { at: second, pid: `${group}q` })];
    const given = (tenant: string): number =>
      streams
        .flatMap(({ messages }) => messages)
        .filter((message) => message.kind === 'execute' && message.data.task.id.startsWith(`${group}${tenant}`)).length;
    await enqueue(...numbered('a', 4));
    await expect.poll(() => given('a'), { timeout: 20_000 }).toBe(4);
    await enqueue(...numbered('b', 3));
    await expect.poll(() => given('b'), { timeout: 20_000 }).toBe(2);
    expect((await broker.waiting(`${group}b3`)).map(({ reason }) => reason)).toEqual(['no credit']);
  });

  test('with 100 percent tenants take turns, and no stream exceeds its credit', async () => {
    ask = asker(await newBroker(100));
    const stream = await leasing(2, { at: brokers.at(-1) ?? broker });
    await enqueue('a1', 'a2', 'b1');
    expect(await next(stream, 2)).toEqual(['a1', 'a2']);
    expect((await broker.waiting(`${group}b1`)).map(({ reason }) => reason)).toEqual(['no credit']);
    await finish('a1');
    expect(await next(stream, 1)).toEqual(['b1']);
  });
});

// No broker runs here: it would end these streams, whose replica does not exist.
test('whatever is held and waits: a task is left only where its tenant has its share or all places are used within shares', async () => {
  const tasks = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  let at = 0;
  await assert(
    asyncProperty(
      array(record({ credit: integer({ min: 1, max: 5 }), held: tasks }), { minLength: 1, maxLength: 3 }),
      tasks,
      integer({ min: 1, max: 99 }),
      async (streams, waiting, percent) => {
        const name = `property${++at}`;
        const queue = `any@${name}`;
        const pids = streams.map((_, index) => `${name}-${index}`);
        const rows = [
          ...streams.flatMap(({ held }, index) => held.map((lane) => ({ lane, pid: pids[index] ?? null }))),
          ...waiting.map((lane) => ({ lane, pid: null })),
        ];
        await db.query(
          `insert into :schema.broker_stream (id, replica, task_group, pid, credit, keeps_leases, connected_at)
           select pid, 'r', $1, pid, credit, true, 0 from unnest($2::text[], $3::int[]) as s(pid, credit)`,
          [name, pids, streams.map(({ credit }) => credit)],
        );
        await db.query(
          `insert into :schema.broker_task (id, state, version, resumes, releases, pid, ttl, wake_at, queue, lane, queued_at, since)
           select $1 || '-' || number, case when pid is null then 'pending' else 'acquired' end, 0, '[]', 0, pid, 1000, null, $2, lane, case when pid is null then number end, 0
           from unnest($3::text[], $4::text[]) with ordinality as t(lane, pid, number)`,
          [name, queue, rows.map(({ lane }) => lane), rows.map(({ pid }) => pid)],
        );
        const credits = streams.map(({ credit }) => credit);
        const { offers, left } = await giveTasks(
          db,
          [{ queue, after: '', pids, credits, ttls: pids.map(() => 0), share: percent }],
          1,
        );
        const places = credits.reduce((sum, credit) => sum + credit, 0);
        const share = Math.max(1, Math.floor((places * percent) / 100));
        const before = count(streams.flatMap(({ held }) => held));
        const given = count(offers.map(({ lane }) => lane));
        const wanted = count(waiting);
        const holds = (lane: string): number => (before.get(lane) ?? 0) + (given.get(lane) ?? 0);
        const waits = (lane: string): boolean => (wanted.get(lane) ?? 0) > (given.get(lane) ?? 0);
        const lanes = ['a', 'b', 'c', 'd'];
        const held = streams.map(
          ({ held: had }, index) => had.length + offers.filter(({ pid }) => pid === pids[index]).length,
        );
        const spare = held.some((number, index) => number < (credits[index] ?? 0));
        const room = held.some((number, index) => number < 2 * (credits[index] ?? 0));
        const within = lanes.reduce((sum, lane) => sum + Math.min(holds(lane), share), 0);

        expect(left).toEqual(lanes.some(waits) ? [queue] : []);
        for (const lane of lanes) {
          const othersWait = lanes.some((other) => other !== lane && waits(other));
          if ((given.get(lane) ?? 0) > 0 && holds(lane) > share) expect(othersWait).toBe(false);
          if (!waits(lane)) continue;
          if (holds(lane) >= share) expect(!spare || othersWait).toBe(true);
          else expect(!spare && (within >= places || !room)).toBe(true);
        }
        for (const [index, { held: had, credit }] of streams.entries())
          if ((held[index] ?? 0) > had.length) expect(held[index]).toBeLessThanOrEqual(2 * credit);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);

function count(lanes: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const lane of lanes) numbers.set(lane, (numbers.get(lane) ?? 0) + 1);
  return numbers;
}
