// The broker as a role uses it: the SDK on our own network. Functions are registered before the stream opens, so that no
// task arrives for an unknown function. Calls are made with `call`, which is the SDK's beginRpc: leases of work begun with
// `run` are never renewed. There is no retry by default, because the SDK's is unbounded.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, type Logger, Never, Resonate } from '@resonatehq/sdk';
import type { Log } from '../../telemetry/log.ts';
import { createRoleNetwork } from './role-network.ts';

export interface RoleOptions {
  readonly url: string;
  readonly group: string;
  /** Identifies the process; random when absent. */
  readonly pid?: string;
  /** Only the api role sends heartbeats; the others are alive while their stream is open. */
  readonly heartbeats: boolean;
  /** Whether it opens a poll stream. A role that only makes calls and does not await results needs none. */
  readonly polls?: boolean;
  /** How many tasks the broker may give it at once. With 0 it is connected and idle. */
  readonly credit?: number;
  readonly token?: string | undefined;
  readonly log: Log;
  /** Lease of an acquired task. Matters with another broker when no heartbeats are sent. */
  readonly ttlMs?: number;
  readonly register?: (resonate: Resonate) => void;
}

export interface CallOptions {
  /** The task group whose workers execute it. */
  readonly target: string;
  readonly timeoutMs: number;
  /** Tenants of a group take turns. */
  readonly tenant?: string;
}

export interface RoleBroker {
  readonly resonate: Resonate;
  readonly pid: string;
  readonly connected: boolean;
  /** Whether the broker limits what it gives, so that the role need not. */
  readonly keepsCredit: boolean;
  readonly held: number;
  /** Resolves once the poll stream is open. */
  opened(): Promise<void>;
  /** Starts a durable call; the same id starts it once. Resolves when the broker has it. */
  call(id: string, name: string, argument: unknown, options: CallOptions): Promise<void>;
  /** Settles a call from outside, if it is still pending. */
  cancel(id: string): Promise<void>;
  /** Takes no more tasks, waits for those under way, and disconnects. Unfinished tasks go to other processes. */
  stop(graceMs?: number): Promise<void>;
}

const TTL_MS = 20_000;
const CREDIT = 64;
const DRAIN_LOOK_MS = 25;

export function connectRole(options: RoleOptions): RoleBroker {
  const { url, group, heartbeats, polls = true, credit = CREDIT, token, log, ttlMs = TTL_MS } = options;
  const pid = options.pid ?? randomUUID().replaceAll('-', '');
  const network = createRoleNetwork({
    url,
    group,
    pid,
    heartbeats,
    polls,
    credit,
    ttlMs,
    token,
    patienceMs: polls ? 30_000 : 5_000,
    log,
  });
  const resonate = new Resonate({ group, pid, ttl: ttlMs, network, logger: toLogger(log) });
  options.register?.(resonate);

  return {
    resonate,
    pid,
    get connected() {
      return network.connected;
    },
    get keepsCredit() {
      return network.keepsCredit;
    },
    get held() {
      return network.held.size;
    },
    opened: () => network.opened(),
    async call(id, name, argument, { target, timeoutMs, tenant }) {
      if (id.includes(':'))
        throw new Error('the id of a call must not contain a colon: the part before it would be taken for the root');
      await resonate.beginRpc(
        id,
        name,
        argument,
        resonate.options({
          target: addressOf(target),
          timeout: timeoutMs,
          retryPolicy: new Never(),
          tags: tenantTags(tenant),
        }),
      );
    },
    async cancel(id) {
      await resonate.promises.cancel(id);
    },
    async stop(graceMs = 0) {
      if (polls && graceMs > 0) {
        network.takeNoMore();
        const deadline = performance.now() + graceMs;
        while (network.held.size > 0 && performance.now() < deadline) await sleep(DRAIN_LOOK_MS);
      }
      await resonate.stop();
    },
  };
}

/** The options of a call from within a durable function, with the same defaults as `call`. */
export function callFrom(context: Context, { target, timeoutMs, tenant }: CallOptions): ReturnType<Context['options']> {
  return context.options({
    target: addressOf(target),
    timeout: timeoutMs,
    retryPolicy: new Never(),
    tags: tenantTags(tenant),
  });
}

/** What the SDK would make of a group's name, after checking that it is not an address. */
function addressOf(group: string): string {
  return `poll://any@${group}`;
}

function tenantTags(tenant: string | undefined): Record<string, string> {
  return tenant === undefined ? {} : { 'service:tenant': tenant };
}

function toLogger(log: Log): Logger {
  return {
    debug: (fields, message) => log.trace(fields, message),
    info: (fields, message) => log.debug(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}
