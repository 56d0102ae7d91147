// Which sandboxes exist, and until when. A lease ends when it expires, when it is destroyed, or when the controller
// stops; the sandbox is gone once its driver has removed it.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../telemetry/log.ts';
import type { DriverSandbox, EndReason, SandboxDriver } from './driver.ts';
import { type EgressProxy, openEgressProxy } from './egress/egress-proxy.ts';
import { MAX_LIFE_MS, TIME_LIMIT_MS, withDefaults } from './limits.ts';
import type { CreateBody } from './protocol.ts';
import type { Execution } from './start-execution.ts';
import { createTurns } from './turns.ts';

export interface Lease {
  readonly id: string;
  readonly spec: CreateBody;
  readonly sandbox: DriverSandbox;
  readonly egress: EgressProxy | undefined;
  readonly executions: Map<string, Execution>;
  readonly createdAt: number;
  expiresAt: number;
  timer: NodeJS.Timeout;
}

export interface LeaseOptions {
  readonly driver: SandboxDriver;
  readonly maxSandboxes: number;
  /** Sandboxes that ended when a controller was stopped in order: requests for one get that reason. */
  readonly stopped?: ReadonlySet<string>;
  readonly log: Log;
  readonly lookup?: Parameters<typeof openEgressProxy>[0]['lookup'];
}

export interface Leases {
  make(body: CreateBody): Promise<Lease>;
  get(id: string): Lease;
  has(id: string): boolean;
  renew(id: string, ttlMs: number): Lease;
  destroy(id: string, reason: EndReason): Promise<void>;
  readonly size: number;
  /** From now on no lease is granted, and requests for one that is gone are answered with "stopping". */
  shut(): void;
  /** Destroys every lease and returns their ids. */
  destroyAll(): Promise<readonly string[]>;
}

export function createLeases(options: LeaseOptions, onRemoved: (spec: CreateBody) => void): Leases {
  const { maxSandboxes, stopped, log } = options;
  const leases = new Map<string, Lease>();
  const leaving = new Map<string, Promise<void>>();
  const turns = createTurns();
  let making = 0;
  let closed = false;

  const get = (id: string): Lease => {
    const lease = leases.get(id);
    if (lease === undefined)
      throw new AppError('sandbox_not_found', stopped?.has(id) || closed ? { reason: 'stopping' } : {});
    return lease;
  };
  const remove = (id: string, reason: EndReason): Promise<void> =>
    destroy(id, reason).catch((error: unknown) => log.error({ err: error, sandbox: id }, 'could not remove sandbox'));
  const expireAt = (id: string, expiresAt: number): NodeJS.Timeout =>
    setTimeout(() => void remove(id, 'expired'), expiresAt - Date.now()).unref();

  function destroy(id: string, reason: EndReason): Promise<void> {
    const already = leaving.get(id);
    if (already !== undefined) return already;
    const lease = get(id);
    clearTimeout(lease.timer);
    leases.delete(id);
    for (const execution of lease.executions.values()) execution.end(reason);
    onRemoved(lease.spec);
    turns.end(lease.spec);
    const gone = (async () => {
      await lease.egress?.close();
      await lease.sandbox.destroy();
    })().finally(() => leaving.delete(id));
    leaving.set(id, gone);
    return gone;
  }

  async function make(spec: CreateBody): Promise<Lease> {
    const { owner } = spec;
    const earlier = owner ? [...leases.values()].filter((lease) => lease.spec.owner?.name === owner.name) : [];
    await Promise.all(earlier.map(({ id }) => remove(id, 'killed')));
    if (closed || leases.size + making + leaving.size >= maxSandboxes) throw new AppError('sandbox_full');
    making++;
    try {
      const opened = await openSandbox(options, newId('sbx'), spec);
      const { id } = opened;
      const lease: Lease = { ...opened, timer: expireAt(id, opened.expiresAt) };
      leases.set(id, lease);
      if (turns.isLatest(spec)) return lease;
      await remove(id, 'killed');
      throw new AppError('conflict');
    } finally {
      making--;
    }
  }

  return {
    get size() {
      return leases.size;
    },
    get,
    has: (id) => leases.has(id),
    destroy,
    make: (spec) => turns.take(spec, () => make(spec)),
    renew(id, ttlMs) {
      const lease = get(id);
      clearTimeout(lease.timer);
      lease.expiresAt = Math.min(Date.now() + ttlMs, lease.createdAt + MAX_LIFE_MS);
      lease.timer = expireAt(id, lease.expiresAt);
      return lease;
    },
    shut() {
      closed = true;
    },
    async destroyAll() {
      const ids = [...leases.keys()];
      await Promise.allSettled(ids.map((id) => destroy(id, 'stopping')));
      await Promise.allSettled(leaving.values());
      return ids;
    },
  };
}

async function openSandbox(
  { driver, lookup }: LeaseOptions,
  id: string,
  spec: CreateBody,
): Promise<Omit<Lease, 'timer'>> {
  const { allow, brokers, secrets } = spec.network;
  const directory = allow.length + brokers.length > 0 ? await driver.egressDirectory(id) : undefined;
  const egress =
    directory === undefined
      ? undefined
      : await openEgressProxy({
          directory,
          rules: { allow, brokers, secrets },
          ...(lookup === undefined ? {} : { lookup }),
        });
  try {
    const sandbox = await driver.create({
      id,
      limits: withDefaults(spec.limits),
      env: { ...egress?.environment, ...spec.env },
      ...(directory === undefined ? {} : { egress: { directory } }),
    });
    await egress?.own(sandbox.uid);
    const createdAt = Date.now();
    const expiresAt = createdAt + (spec.ttlMs ?? TIME_LIMIT_MS);
    return { id, spec, sandbox, egress, executions: new Map(), createdAt, expiresAt };
  } catch (error) {
    await egress?.close();
    throw error;
  }
}
