import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createModel } from '../../../test/support/broker/broker-model.ts';
import type { Step } from '../protocol/steps.ts';
import { createLocalQueues, type LocalQueues } from '../streams/local-queues.ts';
import { createLocalStreams, type LocalStream, type LocalStreams } from '../streams/local-streams.ts';
import { apply } from './apply.ts';
import type { State } from './draft.ts';
import { planDelivery, type Taken } from './plan-delivery.ts';

const NOW = 1_000;
const NOTHING: State = { promises: new Map(), tasks: new Map(), awaiters: new Map(), listeners: new Map() };

interface Terms {
  readonly pid: string;
  readonly credit: number;
  readonly leaseMs?: number;
}

function connect(...terms: Terms[]): { streams: LocalStreams; queues: LocalQueues; opened: LocalStream[] } {
  const streams = createLocalStreams();
  const opened = terms.map((one): LocalStream => ({
    id: `stream of ${one.pid}`,
    group: 'g',
    keepsLeases: true,
    held: new Set(),
    send: () => {
      throw new Error('a plan sends nothing');
    },
    end: () => {},
    ...one,
  }));
  for (const stream of opened) streams.add(stream);
  return { streams, queues: createLocalQueues(streams), opened };
}

const creating = (id: string, target = 'poll://any@g'): Step => ({
  kind: 'promise.create',
  data: { id, param: {}, tags: { 'resonate:target': target }, timeoutAt: 9_000 },
});
const take = (step: Step, state: State = NOTHING): Taken => ({
  outcome: apply(NOW, state, step),
  state,
  revisions: [],
});

test('tasks go to the streams with the most credit to spare, and no stream exceeds its credit', () => {
  const connected = connect({ pid: 'a', credit: 2, leaseMs: 500 }, { pid: 'b', credit: 1, leaseMs: 500 });
  const plan = planDelivery(
    NOW,
    ['1', '2', '3', '4'].map((id) => take(creating(id))),
    connected,
  );
  expect(plan.handed.map(({ stream, id }) => [stream.pid, id])).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', '3'],
  ]);
  expect([...plan.executed]).toEqual([['4', 'any@g']]);
  expect([...plan.due]).toEqual(['any@g']);
  expect(plan.offers).toMatchObject([{ queue: 'any@g', pids: ['a', 'b'], credits: [2, 1] }]);
  expect(plan.writes.flatMap(({ outcome }) => outcome.changes.tasks.map(({ id, pid }) => [id, pid]))).toEqual([
    ['1', 'a'],
    ['2', 'a'],
    ['3', 'b'],
    ['4', undefined],
  ]);
});

test('of streams that have the same to spare, the one that was chosen longest ago is next', () => {
  const connected = connect(
    { pid: 'a', credit: 5, leaseMs: 500 },
    { pid: 'b', credit: 5, leaseMs: 500 },
    { pid: 'c', credit: 5, leaseMs: 500 },
  );
  const next = (id: string): (string | undefined)[] =>
    planDelivery(NOW, [take(creating(id))], connected).handed.map(({ stream }) => {
      connected.queues.markChosen(stream);
      return stream.pid;
    });
  // Nothing is held in between: each task was given back before the next one came.
  expect(['1', '2', '3', '4'].flatMap(next)).toEqual(['a', 'b', 'c', 'a']);
  connected.queues.served('any@g', 'tenant', connected.opened[1]);
  expect(connected.queues.toServe(['any@g'])).toMatchObject([{ pids: ['c', 'a', 'b'] }]);
});

test('no task is handed over while others wait in its queue', () => {
  const connected = connect({ pid: 'a', credit: 5, leaseMs: 500 });
  connected.queues.looked([], ['any@g']);
  const plan = planDelivery(NOW, [take(creating('1'))], connected);
  expect([plan.handed, [...plan.executed]]).toEqual([[], [['1', 'any@g']]]);
});

test('a released task frees its stream, and another replica is notified of its own', () => {
  const model = createModel([]);
  model.step(NOW, creating('1', 'poll://any@g'));
  model.step(NOW, { kind: 'task.acquire', data: { id: '1', version: 0, pid: 'a', ttl: 500 } });
  const fulfil: Step = {
    kind: 'task.fulfill',
    data: {
      id: '1',
      version: 1,
      action: {
        kind: 'promise.settle',
        head: { corrId: 'c', version: 'v' },
        data: { id: '1', state: 'resolved', value: {} },
      },
    },
  };
  const here = connect({ pid: 'a', credit: 1 });
  const plan = planDelivery(NOW, [take(fulfil, model.state)], here);
  expect(plan.released).toEqual([{ stream: here.opened[0], id: '1' }]);
  expect([...plan.due]).toEqual(['any@g', 'uni@g/a']);
  expect(plan.notified.size).toBe(0);
  const elsewhere = planDelivery(NOW, [take(fulfil, model.state)], connect({ pid: 'b', credit: 1 }));
  expect([elsewhere.released, [...elsewhere.notified]]).toEqual([[], ['any@g']]);
});

test('a listener is notified over its own stream, over another of its group, or through its queue', () => {
  const promise = {
    id: 'p',
    state: 'pending',
    param: {},
    value: {},
    tags: {},
    timeoutAt: 9_000,
    createdAt: 1,
  } as const;
  const listeners = new Map([['p', ['poll://any@g/b', 'poll://any@g/gone', 'poll://uni@g/gone', 'poll://any@h']]]);
  const state: State = { ...NOTHING, promises: new Map([['p', promise]]), listeners };
  const settle: Step = { kind: 'promise.settle', data: { id: 'p', state: 'resolved', value: {} } };
  const plan = planDelivery(NOW, [take(settle, state)], connect({ pid: 'a', credit: 1 }, { pid: 'b', credit: 1 }));
  expect(plan.unblocks.map(({ stream }) => stream.pid)).toEqual(['b', 'a']);
  expect(plan.queuedUnblocks).toEqual([
    { queue: 'uni@g/gone', promise: 'p' },
    { queue: 'any@h', promise: 'p' },
  ]);
});

test('every due task is handed over once or stays in its queue, and planning changes nothing', () => {
  const streamsGiven = array(
    record({ credit: integer({ min: 0, max: 3 }), holds: integer({ min: 0, max: 2 }), leases: boolean() }),
    { maxLength: 4 },
  );
  const targets = array(constantFrom('poll://any@g', 'poll://any@g/p1', 'poll://uni@g/p0', 'https://elsewhere'), {
    maxLength: 8,
  });
  assert(
    property(streamsGiven, targets, (given, wanted) => {
      const connected = connect(
        ...given.map(({ credit, leases }, at) => ({ pid: `p${at}`, credit, ...(leases ? { leaseMs: 500 } : {}) })),
      );
      for (const [at, stream] of connected.opened.entries())
        for (let n = 0; n < (given[at]?.holds ?? 0); n++) stream.held.add(`before ${n}`);
      const before = connected.opened.map(({ held }) => [...held]);
      const taken = wanted.map((target, at) => take(creating(`t${at}`, target)));
      const plan = planDelivery(NOW, taken, connected);
      expect(connected.opened.map(({ held }) => [...held])).toEqual(before);
      expect(planDelivery(NOW, taken, connected)).toEqual(plan);
      const due = taken.flatMap(({ outcome }) => outcome.changes.executes.map(({ id }) => id)).sort();
      expect([...plan.handed.map(({ id }) => id), ...plan.executed.keys()].sort()).toEqual(due);
      for (const stream of connected.opened) {
        const mine = plan.handed.filter((one) => one.stream === stream);
        if (mine.length > 0) expect(stream.held.size + mine.length).toBeLessThanOrEqual(stream.credit);
        expect(mine.length === 0 || stream.leaseMs !== undefined).toBe(true);
      }
      for (const queue of plan.executed.values()) expect(plan.due.has(queue)).toBe(true);
    }),
  );
});
