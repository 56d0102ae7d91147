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
  const turns = new Map<string, number>();
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
    endTurn(lease.spec);
    const gone = (async () => {
      await lease.egress?.close();
      await lease.sandbox.destroy();
    })().finally(() => leaving.delete(id));
    leaving.set(id, gone);
    return gone;
  }

  const isLatest = ({ owner }: CreateBody): boolean => owner === undefined || turns.get(owner.name) === owner.turn;

  function endTurn({ owner }: CreateBody): void {
    if (owner && turns.get(owner.name) === owner.turn) turns.delete(owner.name);
  }

  /** What a lost worker left would go on, and hold its place until its lease ends. */
  async function beginTurn({ owner }: CreateBody): Promise<void> {
    if (!owner) return;
    if ((turns.get(owner.name) ?? 0) > owner.turn) throw new AppError('conflict');
    turns.set(owner.name, owner.turn);
    const earlier = [...leases.values()].filter(({ spec }) => spec.owner?.name === owner.name);
    await Promise.all(earlier.map(({ id }) => remove(id, 'killed')));
  }

  return {
    get size() {
      return leases.size;
    },
    get,
    has: (id) => leases.has(id),
    destroy,
    async make(spec) {
      await beginTurn(spec);
      if (closed || leases.size + making + leaving.size >= maxSandboxes) throw new AppError('sandbox_full');
      making++;
      try {
        const id = newId('sbx');
        const opened = await openSandbox(options, id, spec);
        const createdAt = Date.now();
        const expiresAt = createdAt + (spec.ttlMs ?? TIME_LIMIT_MS);
        const timer = expireAt(id, expiresAt);
        const lease: Lease = { id, spec, ...opened, executions: new Map(), createdAt, expiresAt, timer };
        leases.set(id, lease);
        if (isLatest(spec)) return lease;
        await remove(id, 'killed');
        throw new AppError('conflict');
      } catch (error) {
        endTurn(spec);
        throw error;
      } finally {
        making--;
      }
    },
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
  { network: { allow, brokers, secrets }, limits, env }: CreateBody,
): Promise<Pick<Lease, 'sandbox' | 'egress'>> {
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
      limits: withDefaults(limits),
      env: { ...egress?.environment, ...env },
      ...(directory === undefined ? {} : { egress: { directory } }),
    });
    await egress?.own(sandbox.uid);
    return { sandbox, egress };
  } catch (error) {
    await egress?.close();
    throw error;
  }
}
