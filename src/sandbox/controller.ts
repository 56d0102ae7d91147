// The controller: leases over the sandboxes of one driver. A sandbox lives until it is destroyed or its lease ends; a
// command until it exits, its time is up, or nobody listens to it any more.
import { createHash } from 'node:crypto';
import type { LimitMeans } from '../contract/sandbox-limits.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { DriverSandbox, EndReason, SandboxDriver, WorkspaceFiles } from './driver.ts';
import { type EgressProxy, openEgressProxy } from './egress/egress-proxy.ts';
import type { ExecLog } from './exec-log.ts';
import { MAX_LIFE_MS, TIME_LIMIT_MS, withDefaults } from './limits.ts';
import type { CreateBody, ExecBody, SandboxInfo } from './protocol.ts';
import { type Execution, startExecution } from './start-execution.ts';

export interface SandboxController {
  create(body: CreateBody): Promise<SandboxInfo>;
  exec(id: string, body: ExecBody): Promise<ExecLog>;
  /** The log of a command that is running or has ended lately. */
  attach(id: string, execId: string): ExecLog;
  files(id: string): WorkspaceFiles;
  renew(id: string, ttlMs: number): SandboxInfo;
  /** Ends one command, or all; settles when they are gone. */
  kill(id: string, execId?: string): Promise<void>;
  destroy(id: string): Promise<void>;
  readonly size: number;
  /** Removes every sandbox; answers which there were. */
  close(): Promise<readonly string[]>;
}

interface Lease {
  readonly id: string;
  readonly spec: CreateBody;
  readonly sandbox: DriverSandbox;
  readonly egress: EgressProxy | undefined;
  readonly executions: Map<string, Execution>;
  readonly createdAt: number;
  expiresAt: number;
  timer: NodeJS.Timeout;
}

/** Ended commands whose log is kept for a caller that comes back. */
const KEPT_EXECUTIONS = 8;

export interface ControllerOptions {
  readonly driver: SandboxDriver;
  readonly limits: LimitMeans;
  readonly maxSandboxes: number;
  /** Sandboxes that went with a controller that was stopped in order: whoever asks for one is told so. */
  readonly stopped?: ReadonlySet<string>;
  readonly log: Log;
  readonly lookup?: Parameters<typeof openEgressProxy>[0]['lookup'];
}

export function createController({
  driver,
  limits,
  maxSandboxes,
  stopped,
  log,
  lookup,
}: ControllerOptions): SandboxController {
  const leases = new Map<string, Lease>();
  const keys = new Map<string, { readonly body: string; readonly made: Promise<SandboxInfo> }>();
  const leaving = new Map<string, Promise<void>>();
  let making = 0;
  let closed = false;

  const getLease = (id: string): Lease => {
    const lease = leases.get(id);
    if (lease === undefined)
      throw new AppError('sandbox_not_found', stopped?.has(id) || closed ? { reason: 'stopping' } : {});
    return lease;
  };
  const inform = ({ id, expiresAt }: Pick<Lease, 'id' | 'expiresAt'>): SandboxInfo => ({
    id,
    expiresAt: new Date(expiresAt).toISOString(),
    driver: driver.name,
    limits,
  });
  const expireAt = (id: string, expiresAt: number): NodeJS.Timeout =>
    setTimeout(
      () =>
        void destroy(id, 'expired').catch((error: unknown) =>
          log.error({ err: error, sandbox: id }, 'a sandbox could not be removed'),
        ),
      expiresAt - Date.now(),
    ).unref();

  async function make(body: CreateBody): Promise<SandboxInfo> {
    if (closed || leases.size + making + leaving.size >= maxSandboxes) throw new AppError('sandbox_full');
    making++;
    const id = newId('sbx');
    let egress: EgressProxy | undefined;
    try {
      const { allow, brokers } = body.network;
      const directory = allow.length + brokers.length > 0 ? await driver.egressDirectory(id) : undefined;
      if (directory !== undefined)
        egress = await openEgressProxy({
          directory,
          rules: { allow, brokers },
          ...(lookup === undefined ? {} : { lookup }),
        });
      const sandbox = await driver.create({
        id,
        limits: withDefaults(body.limits),
        env: body.env,
        ...(directory === undefined ? {} : { egress: { directory } }),
      });
      await egress?.own(sandbox.uid);
      const createdAt = Date.now();
      const expiresAt = createdAt + (body.ttlMs ?? TIME_LIMIT_MS);
      leases.set(id, {
        id,
        spec: body,
        sandbox,
        egress,
        executions: new Map(),
        createdAt,
        expiresAt,
        timer: expireAt(id, expiresAt),
      });
      return inform({ id, expiresAt });
    } catch (error) {
      await egress?.close();
      throw error;
    } finally {
      making--;
    }
  }

  function destroy(id: string, reason: EndReason): Promise<void> {
    const already = leaving.get(id);
    if (already !== undefined) return already;
    const lease = getLease(id);
    clearTimeout(lease.timer);
    leases.delete(id);
    for (const execution of lease.executions.values()) execution.end(reason);
    const key = lease.spec.idempotencyKey;
    if (key !== undefined) keys.delete(key);
    const gone = (async () => {
      await lease.egress?.close();
      await lease.sandbox.destroy();
    })().finally(() => leaving.delete(id));
    leaving.set(id, gone);
    return gone;
  }

  return {
    get size() {
      return leases.size;
    },
    async create(body) {
      const { idempotencyKey: key } = body;
      if (key === undefined) return make(body);
      const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
      const known = keys.get(key);
      if (known !== undefined && known.body !== digest) throw new AppError('idempotency_conflict');
      if (known !== undefined) return known.made;
      const made = make(body);
      keys.set(key, { body: digest, made });
      made.catch(() => keys.delete(key));
      return made;
    },
    async exec(id, body) {
      const { sandbox, spec, executions, expiresAt } = getLease(id);
      const execution = await startExecution({
        sandbox,
        command: {
          argv: body.argv,
          env: body.env,
          cwd: body.cwd,
          ...(body.stdin === undefined ? {} : { stdin: Buffer.from(body.stdin) }),
        },
        outputBytes: withDefaults(spec.limits).outputBytes,
        timeoutMs: Math.max(1, Math.min(body.timeoutMs ?? TIME_LIMIT_MS, expiresAt - Date.now())),
      });
      // The sandbox may have gone while the command was being launched.
      if (!leases.has(id)) execution.end('expired');
      executions.set(execution.id, execution);
      const ended = [...executions.values()].filter((one) => one.log.ended);
      for (const old of ended.slice(0, Math.max(0, ended.length - KEPT_EXECUTIONS))) executions.delete(old.id);
      return execution.log;
    },
    attach(id, execId) {
      const execution = getLease(id).executions.get(execId);
      if (execution === undefined) throw new AppError('not_found');
      return execution.log;
    },
    files: (id) => getLease(id).sandbox.files,
    renew(id, ttlMs) {
      const lease = getLease(id);
      clearTimeout(lease.timer);
      lease.expiresAt = Math.min(Date.now() + ttlMs, lease.createdAt + MAX_LIFE_MS);
      lease.timer = expireAt(id, lease.expiresAt);
      return inform(lease);
    },
    async kill(id, execId) {
      const { sandbox, executions } = getLease(id);
      if (execId !== undefined) {
        const execution = executions.get(execId);
        execution?.end('killed');
        return execution?.done;
      }
      for (const execution of executions.values()) execution.end('killed');
      await sandbox.kill();
      await Promise.all([...executions.values()].map(({ done }) => done));
      return undefined;
    },
    destroy: (id) => destroy(id, 'killed'),
    async close() {
      closed = true;
      await Promise.allSettled([...keys.values()].map(({ made }) => made));
      const ids = [...leases.keys()];
      await Promise.allSettled(ids.map((id) => destroy(id, 'stopping')));
      await Promise.allSettled(leaving.values());
      return ids;
    },
  };
}
