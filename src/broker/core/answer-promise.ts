// The requests about promises. Passed deadlines of the promises that they name have been recorded before.
import type { StateDraft } from './draft.ts';
import type { BrokerAnswer, Body } from '../protocol/protocol.ts';
import { isAlive, isExternal, originOf, type PromiseRecord, targetOf, timedOut } from '../protocol/records.ts';
import { dispatch, settle } from './settle.ts';

export function getPromise(draft: StateDraft, { id }: Body<'promise.get'>): BrokerAnswer {
  const promise = draft.promise(id);
  return promise ? { status: 200, data: { promise } } : { status: 404, data: 'Promise not found' };
}

export function createPromise(draft: StateDraft, body: Body<'promise.create'>, now: number): BrokerAnswer {
  const existing = draft.promise(body.id);
  if (existing) return { status: 200, data: { promise: existing } };
  const promise = newPromise(body, now);
  draft.createPromise(promise);
  if (targetOf(promise) !== undefined) {
    const task = { id: body.id, version: 0, resumes: [], releases: 0 } as const;
    if (promise.state === 'pending')
      dispatch(draft, { task: { ...task, state: 'pending' }, promise }, now, delayOf(promise));
    else draft.setTask({ ...task, state: 'fulfilled' });
  }
  return { status: 200, data: { promise } };
}

/** A promise whose deadline has already passed is created as timed out. */
export function newPromise({ id, param, tags, timeoutAt }: Body<'promise.create'>, now: number): PromiseRecord {
  const promise: PromiseRecord = {
    id,
    state: 'pending',
    param,
    value: {},
    tags,
    timeoutAt,
    createdAt: Math.min(now, timeoutAt),
  };
  return now < timeoutAt ? promise : timedOut(promise);
}

export function settlePromise(
  draft: StateDraft,
  { id, state, value }: Body<'promise.settle'>,
  now: number,
): BrokerAnswer {
  const promise = draft.promise(id);
  if (!promise) return { status: 404, data: 'Promise not found' };
  if (promise.state !== 'pending') return { status: 200, data: { promise } };
  const settled: PromiseRecord = { ...promise, state, value, settledAt: now };
  settle(draft, settled, now);
  return { status: 200, data: { promise: settled } };
}

export function registerCallback(
  draft: StateDraft,
  { awaited, awaiter }: Body<'promise.register_callback'>,
  now: number,
): BrokerAnswer {
  if (originOf(awaited) !== originOf(awaiter)) return { status: 422, data: 'Awaited and awaiter must share an origin' };
  const promise = draft.promise(awaited);
  if (!promise) return { status: 404, data: 'Awaited promise not found' };
  const waiting = draft.promise(awaiter);
  if (!waiting) return { status: 422, data: 'Awaiter promise not found' };
  if (targetOf(waiting) === undefined) return { status: 422, data: 'Awaiter has no address' };
  if (!isExternal(promise)) return { status: 422, data: 'Awaited promise is not awaitable' };
  if (promise.state === 'pending' && isAlive(waiting, now)) draft.addAwaiter(awaited, awaiter);
  return { status: 200, data: { promise } };
}

export function registerListener(
  draft: StateDraft,
  { awaited, address }: Body<'promise.register_listener'>,
): BrokerAnswer {
  const promise = draft.promise(awaited);
  if (!promise) return { status: 404, data: 'Promise not found' };
  if (!isExternal(promise)) return { status: 422, data: 'Awaited promise is not awaitable' };
  if (promise.state === 'pending') draft.addListener(awaited, address);
  return { status: 200, data: { promise } };
}

/** A task may be delayed beyond its creation. */
function delayOf({ tags }: PromiseRecord): number {
  const delay = Number(tags['resonate:delay'] ?? 0);
  return Number.isFinite(delay) ? delay : 0;
}
