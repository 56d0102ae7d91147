// The one way by which a request is admitted, once its sender is known. The order is fixed: a limit that costs nothing,
// the bounded body, a place, the work; then everything is given back. While a body is on its way its request holds
// nothing but the bytes that have arrived. It works in memory, without a round trip.
import { IncomingMessage } from 'node:http';
import { THIS_MACHINE } from '../../../net/caller-network.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { createJsonScanner, JSON_LIMITS } from '../../../base/json-scanner.ts';
import type { Meter } from '../../../telemetry/metrics/create-meter.ts';
import { ROUTE_COSTS, type RouteCost } from '../../../contract/route-cost.ts';
import { createAttemptLimit, createSlidingLimit } from '../../../timing/rate-limit.ts';
import { readIncoming, readRequest } from '../read-body.ts';
import {
  type AttemptName,
  ATTEMPTS,
  BODIES,
  BODY_MEMORY,
  type BodyName,
  type BodyRow,
  LARGE_BODY_BYTES,
  LARGE_BYTES_PER_MINUTE,
  MORE_FROM_THIS_MACHINE,
  type PlaceRow,
  PLACES,
  type Sender,
} from './limits.ts';
import { createPlaces } from './places.ts';
import { createShares } from './shares.ts';

interface AdmittedRoute {
  readonly cost: RouteCost;
  /** Absent if the route takes no body. */
  readonly body?: BodyName | undefined;
  /** Awaited once a body turns out to be large, before the rest of it is read; may throw. */
  readonly beforeLarge?: (() => Promise<void>) | undefined;
}

/** A body that has arrived. */
export interface Received {
  readonly content: Buffer;
  /** Of a row whose JSON is counted while it arrives, otherwise 0. */
  readonly values: number;
}

export interface Admission {
  /** For a route that strangers call, before anything else. Throws `rate_limited`. */
  attempt(name: AttemptName, network: string): void;
  /** Throws `rate_limited`, and for its body `request_too_large`, `request_timeout` and `invalid_request`. */
  serve<T>(
    route: AdmittedRoute,
    sender: Sender,
    request: IncomingMessage | Request,
    work: (body: Buffer, received: Received) => Promise<T> | T,
  ): Promise<T>;
  /** Memory for what a request reads beside its body. Throws `rate_limited`; returns a function that gives it back. */
  hold(sender: Sender, bytes: number): () => void;
}

const WINDOW_MS = 60_000;
const NO_BODY: Received = { content: Buffer.alloc(0), values: 0 };

export function createAdmission(
  rows: Readonly<Record<RouteCost, PlaceRow>> = PLACES,
  clock: Clock = systemClock,
  meter?: Meter,
): Admission {
  const window = { windowMs: WINDOW_MS, nowMs: () => clock().getTime() };
  const admitOf = (row: PlaceRow) => ({
    limit: createSlidingLimit({ max: row.perMinute * MORE_FROM_THIS_MACHINE, ...window }),
    places: createPlaces(row),
  });
  const costs = new Map(ROUTE_COSTS.map((cost) => [cost, admitOf(rows[cost])]));
  const attempts = new Map(
    Object.entries(ATTEMPTS).map(([name, most]) => [
      name,
      createAttemptLimit({ max: most * MORE_FROM_THIS_MACHINE, windowMs: WINDOW_MS }),
    ]),
  );
  const memory = createShares(BODY_MEMORY);
  const largeBytes = createSlidingLimit({ max: LARGE_BYTES_PER_MINUTE, ...window });
  const holdMore = (sender: Sender, bytes: number): void => {
    if (!memory.take(sender, bytes)) throw new AppError('rate_limited', { retryAfterSeconds: 1 });
  };

  async function read(
    { body: name, beforeLarge }: AdmittedRoute & { readonly body: BodyName },
    sender: Sender,
    request: IncomingMessage | Request,
    held: { bytes: number },
  ): Promise<Received> {
    const { bytes: limitBytes, values, compressed }: BodyRow = BODIES[name];
    const scanner = values === undefined ? undefined : createJsonScanner({ ...JSON_LIMITS, values });
    const options = {
      compressed,
      beforeLarge,
      take(chunk: Uint8Array): void {
        holdMore(sender, chunk.length);
        held.bytes += chunk.length;
        if (held.bytes > LARGE_BODY_BYTES) refuseWhile(largeBytes.take(sender.userId, chunk.length));
        const fault = scanner?.take(chunk);
        if (fault) throw new AppError('invalid_request', { body: fault });
      },
    };
    const content = await (request instanceof IncomingMessage
      ? readIncoming(request, limitBytes, options)
      : readRequest(request, limitBytes, options));
    return { content, values: scanner?.values ?? 0 };
  }

  return {
    attempt: (name, network) => refuseWhile(attempts.get(name)?.take(network, weightOf(network))),
    async serve(route, sender, request, work) {
      const { limit, places } = costs.get(route.cost) ?? admitOf(rows[route.cost]);
      refuseWhile(limit.take(sender.userId, weightOf(sender.userId)));
      const held = { bytes: 0 };
      try {
        const { body } = route;
        const received = body === undefined ? NO_BODY : await read({ ...route, body }, sender, request, held);
        const wait = places.enter(sender);
        if (wait) await (meter ? timed(meter, route.cost, wait) : wait);
        try {
          return await work(received.content, received);
        } finally {
          places.leave(sender);
        }
      } finally {
        if (held.bytes > 0) memory.give(sender, held.bytes);
      }
    },
    hold(sender, bytes) {
      holdMore(sender, bytes);
      return () => memory.give(sender, bytes);
    },
  };
}

async function timed(meter: Meter, cost: RouteCost, wait: Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await wait.finally(() =>
    meter.observe('service_admission_wait_seconds', [cost], (performance.now() - startedAt) / 1000),
  );
}

/** Limits are counted in the smallest part that a request can be. */
function weightOf(key: string): number {
  return key === THIS_MACHINE ? 1 : MORE_FROM_THIS_MACHINE;
}

function refuseWhile(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds });
}
