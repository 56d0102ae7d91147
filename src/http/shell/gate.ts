// The gate that every request passes once its sender is known and before its body is read. It works in memory, without
// a round trip: a request that finds a free slot costs a few lookups. Slots are given to people in turn, so that
// someone who sends a hundred requests does not delay someone who sends one.
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Meter } from '../../base/metrics/create-meter.ts';
import { ROUTE_COSTS, type RouteCost } from '../../contract/route-cost.ts';
import { createSlidingLimit } from '../../timing/rate-limit.ts';
import { COST_CLASSES, type CostClass, MAX_WAITING, WAIT_MS } from './cost-classes.ts';

export interface Gate {
  /**
   * Runs the work once there is a slot for it. Throws `rate_limited`. `who` is a person, or the address of a stranger.
   */
  pass<T>(cost: RouteCost, who: string, work: () => Promise<T>): Promise<T>;
}

export function createGate(
  classes: Readonly<Record<RouteCost, CostClass>> = COST_CLASSES,
  clock: Clock = systemClock,
  meter?: Meter,
): Gate {
  const gates = new Map(ROUTE_COSTS.map((cost) => [cost, createClassGate(classes[cost], clock)]));
  return {
    async pass(cost, who, work) {
      const gate = gates.get(cost);
      if (!gate) return work();
      const wait = gate.enter(who);
      if (wait) await (meter ? timed(meter, cost, wait) : wait);
      try {
        return await work();
      } finally {
        gate.leave(who);
      }
    },
  };
}

async function timed(meter: Meter, cost: RouteCost, wait: Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await wait.finally(() => meter.observe('service_gate_wait_seconds', [cost], (performance.now() - startedAt) / 1000));
}

interface Sender {
  running: number;
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  start(): void;
}

interface ClassGate {
  /** Undefined if the slot was free. */
  enter(who: string): Promise<void> | undefined;
  leave(who: string): void;
}

function createClassGate(row: CostClass, clock: Clock): ClassGate {
  const limit = createSlidingLimit({ max: row.perMinute, windowMs: 60_000, nowMs: () => clock().getTime() });
  const senders = new Map<string, Sender>();
  /** Senders with waiting requests, in the order of their turns. */
  const turns = new Map<string, Sender>();
  let running = 0;
  let waiting = 0;

  const take = (sender: Sender): void => {
    sender.running++;
    running++;
  };
  const stopWaiting = (who: string, sender: Sender, waiter: Waiter): void => {
    sender.waiting.delete(waiter);
    waiting--;
    turns.delete(who);
    if (sender.waiting.size > 0) turns.set(who, sender);
  };
  const forgetIfIdle = (who: string, sender: Sender): void => {
    if (sender.running === 0 && sender.waiting.size === 0) senders.delete(who);
  };
  const handOn = (): void => {
    for (const [who, sender] of turns) {
      if (running >= row.places) return;
      const [next] = sender.waiting;
      if (!next || sender.running >= row.atOnce) continue;
      stopWaiting(who, sender, next);
      take(sender);
      next.start();
    }
  };

  return {
    enter(who) {
      const waitSeconds = limit.take(who);
      if (waitSeconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds: waitSeconds });
      const sender = senders.get(who) ?? { running: 0, waiting: new Set() };
      if (sender.running < row.atOnce && running < row.places && sender.waiting.size === 0) {
        senders.set(who, sender);
        take(sender);
        return undefined;
      }
      if (sender.waiting.size >= row.waiting || waiting >= MAX_WAITING)
        throw new AppError('rate_limited', { retryAfterSeconds: 1 });
      senders.set(who, sender);
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          start() {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          stopWaiting(who, sender, waiter);
          forgetIfIdle(who, sender);
          reject(new AppError('rate_limited', { retryAfterSeconds: 1 }));
        }, WAIT_MS);
        sender.waiting.add(waiter);
        waiting++;
        if (!turns.has(who)) turns.set(who, sender);
      });
    },
    leave(who) {
      const sender = senders.get(who);
      if (!sender) return;
      sender.running--;
      running--;
      forgetIfIdle(who, sender);
      if (waiting > 0) handOn();
    },
  };
}
