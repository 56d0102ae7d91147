// Runs the broker's transition function and the SDK's reference side by side on the same random requests.
import { isDeepStrictEqual } from 'node:util';
import type { StepOutcome } from '../../../src/broker/core/apply.ts';
import { parseRequest } from '../../../src/broker/protocol/protocol.ts';
import { isAlive, isExternal, isTimer } from '../../../src/broker/protocol/records.ts';
import {
  anyRequest,
  comparable,
  createReference,
  HEAD,
  IDS,
  seeded,
  type WireMessage,
  type WireRequest,
} from './broker-fuzz.ts';
import { createModel, type Model } from './broker-model.ts';
import { namedIds, type Step } from '../../../src/broker/protocol/steps.ts';

// Where the specification is stricter than the SDK's reference: its checklist C2, C3 and the shared origin.
const STRICTER = new Set([
  'Awaited promise is not awaitable',
  'Awaited promise not found or not awaitable',
  'Awaited and awaiter must share an origin',
  'Fenced action must name another promise',
]);
const NEVER_HALTS = Array.from({ length: 10_000 }, () => 0);
const STEPS = 50;

/** Throws at the first difference. Counts the answers by kind and status, so that a caller can see what was reached. */
export function compareRun(seed: number, converge: boolean, reached: Map<string, number>): void {
  const random = seeded(seed);
  const model = createModel(NEVER_HALTS);
  const reference = createReference();
  let now = 1_000;
  for (let n = 0; n < STEPS; n++) {
    now += Math.floor(random() * 12);
    if (converge) {
      const pendingBefore = new Set(
        [...model.state.tasks.values()]
          .filter(({ state, dispatchAt }) => state === 'pending' && dispatchAt === undefined)
          .map(({ id, version }) => `${id}@${version}`),
      );
      const ours = tick(model, now);
      // The reference offers a waiting task again every 30 seconds; here the queue remembers it.
      const theirs = reference.tick(now, IDS).filter(({ kind, key }) => kind !== 'execute' || !pendingBefore.has(key));
      same(sorted(ours), sorted(withoutTimers(model, theirs)), `seed ${seed} step ${n} tick`);
    }
    const request = anyRequest(random, now, lookAt(model));
    const where = `seed ${seed} step ${n} ${request.kind}`;
    const expired = new Set<string>(
      IDS.filter((id) => model.state.promises.get(id) !== undefined && !isAlive(model.state.promises.get(id), now)),
    );
    const ours = ask(model, now, request);
    if (ours.answer.status >= 400 && STRICTER.has(String(ours.answer.data))) {
      // The reference is not asked; but it gets to see the deadlines that were noticed on the way to the refusal.
      if (ours.answer.status === 422)
        for (const id of idsOf(request)) reference.apply(now, { kind: 'promise.get', head: HEAD, data: { id } });
      continue;
    }
    const theirs = reference.apply(now, request);
    same(
      comparable(request.kind, ours.answer.status, ours.answer.data),
      comparable(request.kind, theirs.status, theirs.data),
      where,
    );
    count(reached, `${request.kind} ${ours.answer.status}`);
    for (const { kind } of messagesOf(ours)) count(reached, kind);
    // C6: only the reference wakes a task whose own deadline has passed.
    same(
      sorted(messagesOf(ours)),
      sorted(
        withoutTimers(model, theirs.messages).filter(
          ({ kind, key }) => converge || kind !== 'execute' || !expired.has(key.split('@')[0] ?? ''),
        ),
      ),
      where,
    );
  }
  tick(model, now);
  reference.tick(now, IDS);
  for (const id of IDS) {
    for (const kind of ['promise.get', 'task.get']) {
      const ours = ask(model, now, { kind, head: HEAD, data: { id } });
      const theirs = reference.apply(now, { kind, head: HEAD, data: { id } });
      same(
        comparable(kind, ours.answer.status, ours.answer.data),
        comparable(kind, theirs.status, theirs.data),
        `seed ${seed} end ${kind} ${id}`,
      );
    }
  }
}

export function lookAt(model: Model): Parameters<typeof anyRequest>[2] {
  return {
    task: (id) => model.state.tasks.get(id),
    isPending: (id) => model.state.promises.get(id)?.state === 'pending',
  };
}

function idsOf(request: WireRequest): string[] {
  const parsed = parseRequest(request);
  return 'request' in parsed ? namedIds(parsed.request) : [];
}

function ask(model: Model, now: number, request: WireRequest): StepOutcome {
  const parsed = parseRequest(request);
  if ('refusal' in parsed) throw new Error(`the fuzzer made a malformed request: ${JSON.stringify(parsed.refusal)}`);
  return model.step(now, parsed.request);
}

function tick(model: Model, now: number): WireMessage[] {
  const { promises, tasks } = model.state;
  const steps: Step[] = [
    ...[...promises.values()]
      .filter((promise) => isExternal(promise) && promise.state === 'pending' && promise.timeoutAt <= now)
      .map(({ id }): Step => ({ kind: 'promise.expire', data: { id } })),
    ...[...tasks.keys()].map((id): Step => ({ kind: 'task.wake', data: { id } })),
  ];
  return steps.flatMap((step) => messagesOf(model.step(now, step)));
}

function messagesOf({ changes }: StepOutcome): WireMessage[] {
  return [
    ...changes.executes.map(({ id, version }): WireMessage => ({ kind: 'execute', key: `${id}@${version}` })),
    ...changes.unblocks.map(({ address, promise }): WireMessage => ({
      kind: 'unblock',
      key: `${address} ${promise.id} ${promise.state}`,
    })),
  ];
}

/** The reference sends timers out to workers, which drop them; here they are never sent. */
function withoutTimers(model: Model, messages: WireMessage[]): WireMessage[] {
  return messages.filter(({ kind, key }) => {
    const promise = model.state.promises.get(key.split('@')[0] ?? '');
    return kind !== 'execute' || !promise || !isTimer(promise);
  });
}

function sorted(messages: WireMessage[]): string[] {
  return messages.map(({ kind, key }) => `${kind} ${key}`).sort();
}

function same(ours: unknown, theirs: unknown, where: string): void {
  if (!isDeepStrictEqual(ours, theirs))
    throw new Error(`${where}\nours:      ${JSON.stringify(ours)}\nreference: ${JSON.stringify(theirs)}`);
}

function count(reached: Map<string, number>, what: string): void {
  reached.set(what, (reached.get(what) ?? 0) + 1);
}
