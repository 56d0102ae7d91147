// The specification's conformance checklist, C1 to C11 (C12 is about HTTP: see listener.pg.test.ts), and what holds
// after every step of a random run.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookAt } from '../../../test/support/broker/broker-differential.ts';
import { anyRequest, seeded } from '../../../test/support/broker/broker-fuzz.ts';
import { createModel, type Model } from '../../../test/support/broker/broker-model.ts';
import { parseRequest } from '../protocol/protocol.ts';
import { isAlive, isExternal } from '../protocol/records.ts';

const TARGET = { 'resonate:target': 'poll://any@g' };
const HEAD = { corrId: 'c', version: '2026-04-01' };

function ask(model: Model, now: number, kind: string, data: unknown) {
  const parsed = parseRequest({ kind, data });
  if ('refusal' in parsed) throw new Error(String(parsed.refusal.data));
  return model.step(now, parsed.request);
}
const create = (model: Model, now: number, id: string, tags: Record<string, string> = TARGET, timeoutAt = 1_000) =>
  ask(model, now, 'promise.create', { id, timeoutAt, param: {}, tags });
const acquire = (model: Model, now: number, id: string, version = 0) =>
  ask(model, now, 'task.acquire', { id, version, pid: 'p', ttl: 100 });
const suspend = (model: Model, now: number, id: string, version: number, ...awaited: string[]) =>
  ask(model, now, 'task.suspend', {
    id,
    version,
    actions: awaited.map((one) => ({
      kind: 'promise.register_callback',
      head: HEAD,
      data: { awaiter: id, awaited: one },
    })),
  });

describe('the checklist', () => {
  test('C1: an external promise without a target times out and wakes its awaiters', () => {
    const model = createModel();
    create(model, 0, 'r');
    acquire(model, 0, 'r');
    create(model, 0, 'r:1', { 'resonate:external': 'true' }, 50);
    expect(suspend(model, 0, 'r', 1, 'r:1').answer.status).toBe(200);
    expect(model.step(50, { kind: 'promise.expire', data: { id: 'r:1' } }).changes.executes).toEqual([
      { id: 'r', version: 1 },
    ]);
  });

  test('C2: callbacks and suspension on an internal promise are refused', () => {
    const model = createModel();
    create(model, 0, 'r');
    create(model, 0, 'r:1', { 'resonate:scope': 'local' });
    expect(ask(model, 0, 'promise.register_callback', { awaited: 'r:1', awaiter: 'r' }).answer.status).toBe(422);
    acquire(model, 0, 'r');
    expect(suspend(model, 0, 'r', 1, 'r:1').answer.status).toBe(422);
  });

  test('C3: listeners on an internal promise are refused', () => {
    const model = createModel();
    create(model, 0, 'r', {});
    expect(ask(model, 0, 'promise.register_listener', { awaited: 'r', address: 'poll://uni@g/p' }).answer.status).toBe(
      422,
    );
  });

  test('C4: a task whose promise is past its deadline is done for create, halt and continue', () => {
    const model = createModel();
    for (const id of ['a', 'b', 'c']) create(model, 0, id, TARGET, 50);
    ask(model, 0, 'task.halt', { id: 'c' });
    expect(
      ask(model, 60, 'task.create', {
        pid: 'p',
        ttl: 10,
        action: { kind: 'promise.create', head: HEAD, data: { id: 'a', timeoutAt: 50, param: {}, tags: TARGET } },
      }).answer,
    ).toMatchObject({ status: 200, data: { task: { state: 'fulfilled' }, promise: { state: 'rejected_timedout' } } });
    expect(ask(model, 60, 'task.halt', { id: 'b' }).answer.status).toBe(409);
    expect(ask(model, 60, 'task.continue', { id: 'c' }).answer.status).toBe(409);
  });

  test('C5: a lease that runs out after the deadline sends nothing', () => {
    const model = createModel();
    create(model, 0, 'a', TARGET, 50);
    acquire(model, 0, 'a');
    expect(model.step(200, { kind: 'task.wake', data: { id: 'a' } }).changes.executes).toEqual([]);
    expect(model.state.tasks.get('a')?.state).toBe('fulfilled');
  });

  test('C6: an awaiter that is itself past its deadline is not woken', () => {
    const model = createModel();
    create(model, 0, 'r', TARGET, 50);
    acquire(model, 0, 'r');
    create(model, 0, 'r:1');
    suspend(model, 0, 'r', 1, 'r:1');
    expect(ask(model, 60, 'promise.settle', { id: 'r:1', state: 'resolved', value: {} }).changes.executes).toEqual([]);
    expect(model.state.tasks.get('r')?.state).toBe('suspended');
  });

  test('C7: a heartbeat does not renew the lease of a task that is over', () => {
    const model = createModel();
    create(model, 0, 'a', TARGET, 50);
    acquire(model, 0, 'a');
    ask(model, 60, 'task.heartbeat', { pid: 'p', tasks: [{ id: 'a', version: 1 }] });
    expect(model.state.tasks.get('a')?.expiresAt).toBe(100);
  });

  test('C8: every answer shows a promise past its deadline as over', () => {
    const model = createModel();
    create(model, 0, 'a', TARGET, 50);
    create(model, 0, 'b', { 'resonate:timer': 'true' }, 50);
    expect(ask(model, 50, 'promise.get', { id: 'a' }).answer).toMatchObject({
      data: { promise: { state: 'rejected_timedout', settledAt: 50 } },
    });
    expect(ask(model, 50, 'promise.settle', { id: 'a', state: 'resolved', value: {} }).answer).toMatchObject({
      data: { promise: { state: 'rejected_timedout' } },
    });
    expect(ask(model, 50, 'task.get', { id: 'a' }).answer).toMatchObject({ data: { task: { state: 'fulfilled' } } });
    expect(create(model, 50, 'b', {}).answer).toMatchObject({ data: { promise: { state: 'resolved' } } });
  });

  test('C11: a promise that is over accepts no callback and no listener', () => {
    const model = createModel();
    create(model, 0, 'r');
    create(model, 0, 'r:1');
    ask(model, 0, 'promise.settle', { id: 'r:1', state: 'rejected', value: {} });
    expect(ask(model, 0, 'promise.register_callback', { awaited: 'r:1', awaiter: 'r' }).answer).toMatchObject({
      status: 200,
      data: { promise: { state: 'rejected' } },
    });
    ask(model, 0, 'promise.register_listener', { awaited: 'r:1', address: 'poll://uni@g/p' });
    expect([model.state.awaiters.get('r:1') ?? [], model.state.listeners.get('r:1') ?? []]).toEqual([[], []]);
  });

  test('awaiting another origin is refused', () => {
    const model = createModel();
    create(model, 0, 'r');
    create(model, 0, 'q');
    acquire(model, 0, 'r');
    expect(suspend(model, 0, 'r', 1, 'q').answer.status).toBe(422);
  });
});

// C9 (never a version that was not issued) and C10 (never two holders) are properties of whole runs.
test('after every step of a random run the invariants hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
      const random = seeded(seed);
      const model = createModel();
      const granted = new Set<string>();
      let now = 1_000;
      for (let n = 0; n < 60; n++) {
        now += Math.floor(random() * 15);
        const request = anyRequest(random, now, lookAt(model));
        const versions = new Map([...model.state.tasks].map(([id, { version }]) => [id, version]));
        const { changes } = ask(model, now, request.kind, request.data);
        for (const { id, version } of changes.executes) expect(version).toBe(model.state.tasks.get(id)?.version);
        for (const { id, state, version } of changes.tasks) {
          const before = versions.get(id) ?? 0;
          if (version === before) continue;
          // A version rises by one, on being acquired, and is never granted twice.
          expect([state, version, granted.has(`${id}@${version}`)]).toEqual(['acquired', before + 1, false]);
          granted.add(`${id}@${version}`);
        }
        for (const { id } of changes.executes) expect(isAlive(model.state.promises.get(id), now)).toBe(true);
        checkState(model);
      }
    }),
    { numRuns: 60, seed: 42 },
  );
}, 60_000);

function checkState({ state }: Model): void {
  for (const task of state.tasks.values()) {
    expect([task.pid !== undefined, task.expiresAt !== undefined, task.ttl !== undefined]).toEqual(
      Array(3).fill(task.state === 'acquired'),
    );
    if (task.dispatchAt !== undefined) expect(task.state).toBe('pending');
    if (task.state === 'suspended' || task.state === 'fulfilled') expect(task.resumes).toEqual([]);
    if (task.state === 'fulfilled') expect(state.promises.get(task.id)?.state).not.toBe('pending');
  }
  for (const promise of state.promises.values()) {
    const waiting = [...(state.awaiters.get(promise.id) ?? []), ...(state.listeners.get(promise.id) ?? [])];
    if (waiting.length > 0) expect([promise.state, isExternal(promise)]).toEqual(['pending', true]);
    expect(promise.settledAt !== undefined).toBe(promise.state !== 'pending');
    if (promise.state !== 'pending' && state.tasks.has(promise.id))
      expect(state.tasks.get(promise.id)?.state).toBe('fulfilled');
  }
}
